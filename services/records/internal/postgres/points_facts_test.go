package postgres_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

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
	w := setup(t)
	maps, players := w.smallSite(3, 5)
	w.computePoints(someThresholds, noon)
	facts[event.PointsChanged](w)
	before := w.pointsOnMap(maps[0], players)

	w.submitted(maps[0], players[4], 1050)          // passes p002 and p003
	latest := w.submitted(maps[0], players[3], 990) // passes p000, p001, p002 and p004
	w.submitted(maps[1], players[4], 1090)          // passes p003
	w.submitted(maps[2], players[4], 1131)          // passes no player
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
	if left := pgtest.Value[int](t, w.pool, `select count(*) from points_changes`); left != 0 {
		t.Errorf("%d rows are left", left)
	}
}

// rankingFacts are the points and the ranks that the last facts of players have. Whom no fact names has none.
type rankingFacts map[string]event.RankedPlayer

// follow reads the facts that were published since, each of whose points begin where those of the fact before ended.
func (last rankingFacts) follow(w *world) {
	w.t.Helper()
	for _, f := range facts[event.RankingChanged](w) {
		if len(f.Players) > event.MaxRankedPlayers {
			w.t.Errorf("a fact of %d players", len(f.Players))
		}
		for _, p := range f.Players {
			if before := last[p.PlayerID].After; p.Before != before || (p.After == 0) != (p.Rank == 0) {
				w.t.Errorf("%+v after a fact with %d", p, before)
			}
			last[p.PlayerID] = p
		}
	}
	want, got := map[string]int64{}, map[string]int64{}
	type total struct {
		PlayerID string
		Value    int64
	}
	for _, row := range pgtest.Rows[total](w.t, w.pool, `
		select player_id::text, value from rankings where period = 'all' and mode = '' and kind = 'points'`) {
		want[row.PlayerID] = row.Value
	}
	for id, p := range last {
		if p.After > 0 {
			got[id] = p.After
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		w.t.Errorf("points (-want +by the last facts):\n%s", diff)
	}
}

// The last fact of each player has the points that the ranking has: of many who change at once, of those who are not
// ranked any more, after a rebuild, and whichever workers have computed them.
func TestStore_ComputePoints_publishes_ranks(t *testing.T) {
	t.Parallel()
	w, last := setup(t), rankingFacts{}
	maps, players := w.smallSite(3, event.MaxRankedPlayers+20)
	w.computePoints(someThresholds, noon)
	last.follow(w)
	if first := last[players[0].ID]; first.Rank != 1 || len(last) != len(players) {
		t.Errorf("%d players, the first is %+v", len(last), first)
	}
	w.submitted(maps[0], players[len(players)-1], 900) // passes everybody
	w.computePoints(someThresholds, noon)
	last.follow(w)
	players[0].Version, players[0].Banned = 2, true
	w.must(w.ApplyPlayer(t.Context(), players[0]))
	w.must(w.RebuildPoints(t.Context(), someThresholds, noon))
	last.follow(w)
	if p, named := last[players[0].ID]; !named || p.After != 0 {
		t.Errorf("the banned player: %+v", p)
	}
	var workers errgroup.Group
	for i := range 8 {
		w.submitted(maps[i%3], players[20+i], 800-33*i)
		workers.Go(func() error {
			_, err := w.ComputePoints(t.Context(), someThresholds, noon)
			return err
		})
	}
	w.must(workers.Wait())
	w.computePoints(someThresholds, noon)
	last.follow(w)
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
			w := setup(t)
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
