package postgres_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// facts returns the payloads of the facts of one kind in the outbox, and empties it.
func facts[F event.Fact](w *world) (all []F) {
	w.t.Helper()
	for _, m := range outboxtest.All(w.t, w.pool) {
		var fact F
		if m.Subject == fact.Subject() {
			all = append(all, outboxtest.Data[F](w.t, m))
		}
	}
	pgtest.Exec(w.t, w.pool, `delete from outbox`)
	return all
}

// pointsOnMap returns the points of players on a map, in tenths.
func (w *world) pointsOnMap(m record.Map, players []record.Player) (all []int64) {
	w.t.Helper()
	for _, p := range players {
		all = append(all, pgtest.Value[int64](w.t, w.pool, `
			select coalesce((select points from record_points where map_id = $1 and player_id = $2), 0)`, m.ID, p.ID))
	}
	return all
}

// The players whom records have passed are told what it has cost them: exactly what the points page says.
func TestStore_ComputePoints_publishes_what_records_cost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	maps, players := w.smallSite(3, 5)
	w.computePoints(someThresholds, noon)
	facts[event.PointsChanged](w)
	before := w.pointsOnMap(maps[0], players)

	w.submitted(maps[0], players[4], 1050)          // passes p002 and p003
	latest := w.submitted(maps[0], players[3], 990) // passes p000, p001, p002 and p004
	w.submitted(maps[1], players[4], 1090)          // passes p003
	w.submitted(maps[2], players[4], 1131)          // passes nobody
	w.computePoints(someThresholds, noon)

	after := w.pointsOnMap(maps[0], players)
	change := func(player int, by record.Record) event.PointsChange {
		return event.PointsChange{
			PlayerID: players[player].ID, RecordID: by.ID, Before: before[player], After: after[player],
		}
	}
	got := facts[event.PointsChanged](w)
	if len(got) != 2 || got[0].MapID == got[1].MapID {
		t.Fatalf("published %+v, want a fact of each of two maps", got)
	}
	if got[0].MapID != maps[0].ID {
		got[0], got[1] = got[1], got[0]
	}
	// p003 and p004 have lost places, and won more by their own records.
	want := event.PointsChanged{MapID: maps[0].ID, At: noon, Changes: []event.PointsChange{
		change(0, latest), change(1, latest), change(2, latest),
	}}
	if diff := gocmp.Diff(want, got[0]); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	// (30·4 + 970·4) / 24 for the first of five, (30·4 + 890·3) / 24 for the second.
	if before[0] != 1667 || after[0] != 1163 {
		t.Errorf("the first had %d and has %d tenths, want 1667 and 1163", before[0], after[0])
	}
	if len(got[1].Changes) != 1 || got[1].Changes[0].PlayerID != players[3].ID {
		t.Errorf("published %+v, want the change of p003", got[1])
	}
	if left := pgtest.Value[int](t, w.pool, `select count(*) from points_passed`); left != 0 {
		t.Errorf("%d rows are left", left)
	}
}

func TestStore_ComputePoints_publishes_ranks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	maps, players := w.smallSite(3, 30)
	w.computePoints(someThresholds, noon)
	began := facts[event.RankingChanged](w)
	if len(began) != 1 || len(began[0].Players) != event.MaxRankedPlayers || began[0].More != 10 ||
		began[0].Players[0].PlayerID != players[0].ID || began[0].Players[0].Before != 0 {
		t.Fatalf("at the beginning %+v", began)
	}
	total := func(p record.Player) int64 {
		return pgtest.Value[int64](t, w.pool, `
			select value from rankings
			where period = 'all' and mode = '' and kind = 'points' and player_id = $1`, p.ID)
	}
	before := map[string]int64{}
	for _, p := range players {
		before[p.ID] = total(p)
	}
	w.submitted(maps[0], players[1], 900)
	w.computePoints(someThresholds, noon)
	got := facts[event.RankingChanged](w)
	want := []event.RankingChanged{{At: noon, Players: []event.RankedPlayer{
		{PlayerID: players[1].ID, Before: before[players[1].ID], After: total(players[1]), Rank: 2},
		{PlayerID: players[0].ID, Before: before[players[0].ID], After: total(players[0]), Rank: 1},
	}}}
	if want[0].Players[0].Before-want[0].Players[0].After > want[0].Players[1].Before-want[0].Players[1].After {
		want[0].Players[0], want[0].Players[1] = want[0].Players[1], want[0].Players[0]
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}

	w.must(w.RebuildPoints(t.Context(), someThresholds, noon))
	players[0].Version, players[0].Banned = 2, true
	w.must(w.ApplyPlayer(t.Context(), players[0]))
	w.computePoints(someThresholds, noon)
	for _, f := range facts[event.RankingChanged](w) {
		for _, p := range f.Players {
			if p.PlayerID == players[0].ID || p.After == 0 || p.Rank == 0 {
				t.Errorf("published of the banned player or without a rank: %+v", p)
			}
		}
	}
}

// Points that a player loses because somebody counts no longer are not lost by a record that came shortly before.
func TestStore_ComputePoints_publishes_no_cost_of_other_changes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *world, m record.Map, by, passed record.Player, r record.Record){
		"the map is unranked": func(w *world, m record.Map, _, _ record.Player, _ record.Record) {
			m.Version, m.Unranked = 2, true
			w.must(w.ApplyMap(t.Context(), m))
		},
		"the player who passed is banned": func(w *world, _ record.Map, by, _ record.Player, _ record.Record) {
			by.Version, by.Banned = 2, true
			w.must(w.ApplyPlayer(t.Context(), by))
		},
		"the passed player is hidden": func(w *world, _ record.Map, _, passed record.Player, _ record.Record) {
			w.must(w.setHidden(passed, true))
		},
		"the record is removed": func(w *world, _ record.Map, _, _ record.Player, r record.Record) { w.remove(r) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			maps, players := w.smallSite(3, 5)
			w.computePoints(someThresholds, noon)
			facts[event.PointsChanged](w)
			passed := players[3]
			r := w.submitted(maps[0], players[4], 1000+33*3-1) // passes p003 alone
			change(w, maps[0], players[4], passed, r)
			w.computePoints(someThresholds, noon)
			if got := facts[event.PointsChanged](w); len(got) > 0 {
				t.Errorf("published %+v", got)
			}
		})
	}
}
