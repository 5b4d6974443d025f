package postgres_test

import (
	"errors"
	"fmt"
	gomaps "maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

// TestStore_againstModel submits, removes and restores records and maps, hides, shows and merges players at random,
// with many equal times, and compares every answer with the naive model's, which computes it from the records that
// count.
func TestStore_againstModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	model := newModel()
	random := rand.New(rand.NewPCG(1, 2))
	maps := []record.Map{
		w.newMap("m", racetime.Medals{Author: 3000, Gold: 4000, Silver: 5000, Bronze: 6000}),
		w.newMap("n", racetime.Medals{}),
	}
	version2 := w.newMap("m2", racetime.Medals{})
	version2.GameMapID, version2.Fingerprint, version2.Version = maps[0].GameMapID, "f00d2", 2
	version2.MapVersion = 2
	w.must(w.ApplyMap(t.Context(), version2))
	maps = append(maps, version2)
	for _, m := range maps {
		model.maps[m.ID] = m
	}
	var players []record.Player
	for i := range 40 {
		p := w.newPlayer(fmt.Sprintf("p%02d", i))
		players = append(players, p)
		model.players[p.ID] = p
	}
	var submitted []record.Record
	for step := range 600 {
		switch {
		case random.IntN(25) == 0:
			from, into := random.IntN(len(players)), random.IntN(len(players))
			if from > into { // no cycles
				successor := model.successor(players[into].ID)
				hides, before := model.hidden[players[from].ID] && !model.hidden[successor], model.currentWorldRecords()
				w.merge(players[from], players[into])
				model.merge(tombstone(players[from], players[into]))
				if hides {
					w.compareWorldRecords(before, model.currentWorldRecords(), successor, true)
				}
			}
		case random.IntN(15) == 0:
			m := &maps[random.IntN(len(maps))]
			m.Version, m.Removed = m.Version+1, !m.Removed
			w.must(w.ApplyMap(t.Context(), *m))
			model.maps[m.ID] = *m
		case random.IntN(14) == 0:
			m := &maps[random.IntN(len(maps))]
			m.Version, m.Superseded = m.Version+1, random.IntN(4) == 0
			m.Medals = racetime.DefaultMedals(random.IntN(3) * 4000)
			if !m.Removed {
				w.must(w.ApplyMap(t.Context(), *m))
				model.maps[m.ID] = *m
			}
		case random.IntN(10) == 0:
			player, m := players[random.IntN(8)].ID, maps[random.IntN(len(maps))].ID
			if random.IntN(3) == 0 {
				w.must(w.TakeUp(t.Context(), player, m))
				delete(model.putAside, goalKey{model.successor(player), m})
			} else {
				until := day.Add(duration(random.IntN(4000)))
				w.must(w.PutAside(t.Context(), player, m, until))
				model.setAside(player, m, until)
			}
		case random.IntN(12) == 0:
			// Hidden players are few, so that most of them are shown again.
			player, hidden := players[random.IntN(8)], random.IntN(2) == 0
			before := model.currentWorldRecords()
			got := w.setHidden(player, hidden)
			if want := model.hide(player.ID, hidden); !errors.Is(got, want) {
				t.Fatalf("step %d: Hide or Show (%v) returned %v, want %v", step, hidden, got, want)
			}
			if got == nil {
				w.compareWorldRecords(before, model.currentWorldRecords(), player.ID, hidden)
			}
		case len(submitted) > 0 && random.IntN(5) == 0:
			r := submitted[random.IntN(len(submitted))]
			before, worldRecord := model.personalBests(r.MapID), model.worldRecord(r.MapID)
			_, got := w.Remove(t.Context(), r.ID, access.Attribution{Actor: access.Operator("root"), Reason: "random"})
			if want := model.remove(r.ID); !errors.Is(got, want) {
				t.Fatalf("step %d: Remove returned %v, want %v", step, got, want)
			}
			if got == nil {
				want := event.RecordRemoved{Moved: moved(before, model.personalBests(r.MapID), model.successor(r.PlayerID))}
				if now := model.worldRecord(r.MapID); now != nil && now.RecordID != worldRecord.RecordID {
					want.WorldRecord = now
				}
				w.compareMoves(want, outboxtest.Last[event.RecordRemoved](t, w.pool))
			}
		case len(submitted) > 0 && random.IntN(10) == 0:
			r := submitted[random.IntN(len(submitted))]
			before, worldRecord := model.personalBests(r.MapID), model.worldRecord(r.MapID)
			_, got := w.Restore(t.Context(), r.ID, access.Attribution{Actor: access.Operator("root"), Reason: "random"})
			if want := model.restore(r.ID); !errors.Is(got, want) {
				t.Fatalf("step %d: Restore returned %v, want %v", step, got, want)
			}
			if got == nil {
				want := event.RecordRemoved{Moved: moved(before, model.personalBests(r.MapID), model.successor(r.PlayerID))}
				if now := model.worldRecord(r.MapID); worldRecord != nil && now.RecordID != worldRecord.RecordID {
					want.WorldRecord = worldRecord
				}
				w.compareMoves(want, event.RecordRemoved(outboxtest.Last[event.RecordRestored](t, w.pool)))
			}
		default:
			// 60 different times, of which about 20 lie in the same five seconds.
			r := w.record(maps[random.IntN(len(maps))], players[random.IntN(len(players))], 1000+random.IntN(60)*233)
			r.Undated = random.IntN(6) == 0
			if random.IntN(3) == 0 {
				r.FinishTimeStamp = day.Add(duration(random.IntN(50)))
			}
			got, gotErr := w.submitUnlessDuplicate(r)
			want, wantErr := model.submit(r)
			if diff := cmp.Diff(want, got); diff != "" || !errors.Is(gotErr, wantErr) {
				t.Fatalf("step %d: error %v, want %v; placement (-want +got):\n%s", step, gotErr, wantErr, diff)
			}
			if gotErr == nil {
				submitted = append(submitted, r)
			}
		}
		w.compareSome(model, random, maps, players, submitted)
	}
	wantMaps, wantPlayers := model.counts()
	gotMaps, gotPlayers := w.counts()
	isZero := func(_ string, n int64) bool { return n == 0 } // it is not published of who never had a record that counts
	for _, totals := range []map[string]int64{wantMaps, wantPlayers, gotMaps, gotPlayers} {
		gomaps.DeleteFunc(totals, isZero)
	}
	if diff := cmp.Diff([]map[string]int64{wantMaps, wantPlayers}, []map[string]int64{gotMaps, gotPlayers}); diff != "" {
		t.Errorf("totals of maps and players (-want +got):\n%s", diff)
	}
}

// compareMoves compares what a fact says of other players.
func (w *world) compareMoves(want, got event.RecordRemoved) {
	w.t.Helper()
	if diff := cmp.Diff([]any{want.Moved, want.WorldRecord}, []any{got.Moved, got.WorldRecord}); diff != "" {
		w.t.Fatalf("moves and world record of record %s (-want +got):\n%s", got.RecordID, diff)
	}
}

// compareWorldRecords compares what the newest fact of a hidden or shown player says of world records.
func (w *world) compareWorldRecords(before, after []event.MapWorldRecord, playerID string, hidden bool) {
	w.t.Helper()
	want := event.RecordsHidden{PlayerID: playerID}
	var got event.RecordsHidden
	if hidden {
		before, after = after, before
		got = outboxtest.Last[event.RecordsHidden](w.t, w.pool)
	} else {
		got = event.RecordsHidden(outboxtest.Last[event.RecordsShown](w.t, w.pool))
	}
	for _, worldRecord := range before {
		if !slices.Contains(after, worldRecord) {
			want.WorldRecords = append(want.WorldRecords, worldRecord)
		}
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(event.RecordsHidden{}, "Reason", "At")); diff != "" {
		w.t.Fatalf("fact of a hidden (%v) player (-want +got):\n%s", hidden, diff)
	}
}

// submitUnlessDuplicate submits as the domain does.
func (w *world) submitUnlessDuplicate(r record.Record) (record.Placement, error) {
	existing, err := w.FindDuplicate(w.t.Context(), r)
	if err == nil {
		return record.Placement{}, r.DuplicateProblem(existing)
	}
	if !errors.Is(err, record.ErrRecordUnknown) {
		w.t.Fatal(err)
	}
	return w.submit(r)
}

// compareAfter reads the page of a list and of a leaderboard after the record before it.
func (w *world) compareAfter(m *model, leaderboard record.Leaderboard, list record.List, equal cmp.Option) {
	w.t.Helper()
	if list.Offset > 0 {
		want, before := m.list(list), list
		before.Offset, before.Limit = list.Offset-1, 1
		if last := m.list(before).Records; len(last) > 0 {
			position := record.PositionOf(last[0].Record, list.Sort.By)
			list.After, list.Offset = &position, 0
			got, err := w.List(w.t.Context(), list)
			if diff := cmp.Diff(want, got, equal); diff != "" || err != nil {
				w.t.Fatalf("list %+v after %+v: %v (-want +got):\n%s", list, position, err, diff)
			}
		}
	}
	leaderboard.PlayerID, leaderboard.Neighbours = "", 0
	if leaderboard.Offset > 0 && !m.maps[leaderboard.MapID].Removed {
		want, before := m.leaderboard(leaderboard), leaderboard
		before.Offset, before.Limit = leaderboard.Offset-1, 1
		if last := m.leaderboard(before).Records; len(last) > 0 {
			position := record.PositionOf(last[0].Record, record.ByTime)
			leaderboard.After, leaderboard.Offset = &position, 0
			got, err := w.Leaderboard(w.t.Context(), leaderboard)
			if diff := cmp.Diff(want, got, equal); diff != "" || err != nil {
				w.t.Fatalf("leaderboard %+v after %+v: %v (-want +got):\n%s", leaderboard, position, err, diff)
			}
		}
	}
}

// compareSome compares answers to random queries.
func (w *world) compareSome(
	model *model, random *rand.Rand, maps []record.Map, players []record.Player, submitted []record.Record,
) {
	w.t.Helper()
	ctx, t := w.t.Context(), w.t
	equal := cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreFields(record.Map{}, "Version", "GameMapID", "Fingerprint"),
		cmpopts.IgnoreFields(record.Record{}, "Undated")}
	page := record.Page{Offset: random.IntN(45), Limit: 1 + random.IntN(12)}
	leaderboard := record.Leaderboard{MapID: maps[random.IntN(len(maps))].ID, Page: page}

	want := model.leaderboard(leaderboard)
	if diff := cmp.Diff(idsAndRanks(want), w.deepPage(leaderboard)); diff != "" {
		t.Fatalf("deep page %+v (-want +got):\n%s", leaderboard, diff)
	}
	worldRecords, err := w.WorldRecords(ctx, leaderboard.MapID)
	w.must(err)
	if diff := cmp.Diff(model.worldRecords(leaderboard.MapID), worldRecords, equal); diff != "" {
		t.Fatalf("world records of %s (-want +got):\n%s", leaderboard.MapID, diff)
	}
	list := record.List{Sort: record.Sort{By: record.ByUpdated, Descending: random.IntN(2) == 0}, Page: page}
	if random.IntN(2) == 0 {
		list.Sort.By = record.ByTime
	}
	if random.IntN(2) == 0 {
		leaderboard.PlayerID = players[random.IntN(len(players))].ID
		leaderboard.Offset = random.IntN(2)
		leaderboard.Neighbours = random.IntN(7)
		list.PlayerID = leaderboard.PlayerID
	}
	got, err := w.Leaderboard(ctx, leaderboard)
	if model.maps[leaderboard.MapID].Removed {
		if !errors.Is(err, record.ErrMapRemoved) {
			t.Fatalf("leaderboard of a removed map: %v", err)
		}
	} else if diff := cmp.Diff(model.leaderboard(leaderboard), got, equal); diff != "" || err != nil {
		t.Fatalf("leaderboard %+v: %v (-want +got):\n%s", leaderboard, err, diff)
	}
	followed := record.FollowedLeaderboard{MapID: leaderboard.MapID, Page: page}
	followed.Offset %= 5
	for range random.IntN(12) {
		followed.PlayerIDs = append(followed.PlayerIDs, players[random.IntN(len(players))].ID)
	}
	got, err = w.FollowedLeaderboard(ctx, followed)
	if model.maps[followed.MapID].Removed {
		if !errors.Is(err, record.ErrMapRemoved) {
			t.Fatalf("followed players on a removed map: %v", err)
		}
	} else if diff := cmp.Diff(model.followed(followed), got, equal); diff != "" || err != nil {
		t.Fatalf("followed players %+v: %v (-want +got):\n%s", followed, err, diff)
	}
	got, err = w.List(ctx, list)
	w.must(err)
	if diff := cmp.Diff(model.list(list), got, equal); diff != "" {
		t.Fatalf("list %+v (-want +got):\n%s", list, diff)
	}
	w.compareAfter(model, leaderboard, list, equal)
	player := players[random.IntN(len(players))].ID
	ids := []string{maps[2].ID, newID(), maps[0].ID, maps[1].ID}
	progress, err := w.Progress(ctx, player, ids)
	w.must(err)
	if diff := cmp.Diff(model.progress(player, ids), progress, equal); diff != "" {
		t.Fatalf("progress of %s (-want +got):\n%s", player, diff)
	}
	w.comparePlayed(model, player)
	opponent := players[random.IntN(len(players))].ID
	common, err := w.CommonMaps(ctx, player, opponent)
	w.must(err)
	byMap := cmpopts.SortSlices(func(a, b record.CommonMap) bool { return a.Map.ID < b.Map.ID })
	if diff := cmp.Diff(model.commonMaps(player, opponent), common, equal, byMap); diff != "" {
		t.Fatalf("common maps of %s and %s (-want +got):\n%s", player, opponent, diff)
	}
	w.compareStatistics(model, random, player, ids)
	if len(submitted) > 0 {
		id := submitted[random.IntN(len(submitted))].ID
		details, _ := w.Details(ctx, id)
		if diff := cmp.Diff(model.rowAbove(id), details.Above); diff != "" {
			t.Fatalf("the row above record %s (-want +got):\n%s", id, diff)
		}
		of := []string{players[random.IntN(len(players))].ID, players[0].ID, players[1].ID, players[2].ID, players[0].ID}
		wantPassed, wantErr := model.passed(id, of)
		passed, gotErr := w.PassedPlayers(ctx, id, of)
		if diff := cmp.Diff(wantPassed, passed, cmpopts.EquateEmpty()); diff != "" || !errors.Is(gotErr, wantErr) {
			t.Fatalf("players whom %s has passed: %v, want %v; (-want +got):\n%s", id, gotErr, wantErr, diff)
		}
		got, gotErr := w.get(id)
		want, wantErr := model.get(id)
		if diff := cmp.Diff(want, got, equal); diff != "" || !errors.Is(gotErr, wantErr) {
			t.Fatalf("Get returned %v, want %v; (-want +got):\n%s", gotErr, wantErr, diff)
		}
	}
}

// compareStatistics compares what a player has reached, and how they have improved.
func (w *world) compareStatistics(model *model, random *rand.Rand, player string, maps []string) {
	w.t.Helper()
	ctx, t := w.t.Context(), w.t
	since, now := day.Add(duration(random.IntN(1000))), day.Add(duration(random.IntN(4000)))
	records, err := w.PlayerRecords(ctx, player, since, now)
	w.must(err)
	byMap := cmpopts.SortSlices(func(a, b record.Standing) bool { return a.Map.ID < b.Map.ID })
	if diff := cmp.Diff(model.playerRecords(player, since, now), records, cmpopts.EquateEmpty(), byMap); diff != "" {
		t.Fatalf("records of %s since %v, at %v (-want +got):\n%s", player, since, now, diff)
	}
	w.compareGoals(model, player, now)
	page := record.Page{Offset: random.IntN(3), Limit: 1 + random.IntN(3)}
	improved, err := w.ImprovedMaps(ctx, player, page)
	w.must(err)
	if diff := cmp.Diff(model.improvedMaps(player, page), improved, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("maps on which %s has improved, %+v (-want +got):\n%s", player, page, diff)
	}
	mapID := maps[random.IntN(len(maps))]
	improvements, err := w.Improvements(ctx, player, mapID)
	w.must(err)
	if diff := cmp.Diff(model.improvements(player, mapID), improvements, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("improvements of %s on %s (-want +got):\n%s", player, mapID, diff)
	}
}

// comparePlayed compares the maps that a player has played with a scan of the model's progress.
func (w *world) comparePlayed(model *model, player string) {
	w.t.Helper()
	byMap := cmpopts.SortSlices(func(a, b record.Progress) bool { return a.MapID < b.MapID })
	var wantIDs, gotIDs []string
	for _, ranks := range []record.Ranks{record.NoRanks, record.FirstRank, record.AllRanks} {
		var want []record.Progress
		for _, p := range model.progress(player, slices.Collect(gomaps.Keys(model.maps))) {
			switch {
			case p.RecordID == "":
				continue
			case ranks == record.NoRanks, ranks == record.FirstRank && p.Rank > 1:
				p.Rank = 0
			}
			want = append(want, record.Progress{MapID: p.MapID, Medals: p.Medals, FinishTime: p.FinishTime, Rank: p.Rank})
			if ranks == record.NoRanks {
				wantIDs = append(wantIDs, p.MapID)
			}
		}
		got, err := w.Played(w.t.Context(), player, ranks, 100)
		w.must(err)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), byMap); diff != "" {
			w.t.Fatalf("maps that %s has played, with ranks %d (-want +got):\n%s", player, ranks, diff)
		}
		if limited, err := w.Played(w.t.Context(), player, ranks, 1); err != nil || len(limited) != min(1, len(want)) {
			w.t.Fatalf("at most one of them: %v, %v", limited, err)
		}
	}
	bytes, err := w.PlayedMaps(w.t.Context(), player, 100)
	w.must(err)
	ids, err := bytes.UUIDs()
	w.must(err)
	for _, id := range ids {
		if id := uuid.UUID(id).String(); !model.maps[id].Removed {
			gotIDs = append(gotIDs, id)
		}
	}
	slices.Sort(wantIDs)
	if diff := cmp.Diff(wantIDs, gotIDs, cmpopts.EquateEmpty()); diff != "" {
		w.t.Fatalf("ids of the maps that %s has played (-want +got):\n%s", player, diff)
	}
}

// compareGoals compares what a player may play next.
func (w *world) compareGoals(model *model, player string, now time.Time) {
	w.t.Helper()
	ctx, t := w.t.Context(), w.t
	candidates, err := w.Candidates(ctx, player, now)
	w.must(err)
	byMap := cmpopts.SortSlices(func(a, b record.Candidate) bool { return a.MapID < b.MapID })
	if diff := cmp.Diff(model.candidates(player, now), candidates, cmpopts.EquateEmpty(), byMap); diff != "" {
		t.Fatalf("candidates of %s (-want +got):\n%s", player, diff)
	}
	goals := record.NearestGoals(candidates)
	completed, err := w.CompleteGoals(ctx, player, goals)
	w.must(err)
	if diff := cmp.Diff(model.completed(player, goals), completed, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("goals of %s (-want +got):\n%s", player, diff)
	}
	unplayed, err := w.EasiestUnplayed(ctx, player, now)
	w.must(err)
	if diff := cmp.Diff(model.easiestUnplayed(player, now), unplayed, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("easiest maps for %s (-want +got):\n%s", player, diff)
	}
	easiest, err := w.EasiestMaps(ctx)
	w.must(err)
	all := model.easiest(func(string) bool { return false })
	if diff := cmp.Diff(all, easiest, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("easiest maps (-want +got):\n%s", diff)
	}
}

func idsAndRanks(list record.RankedList) []string {
	lines := []string{}
	for _, e := range list.Records {
		lines = append(lines, fmt.Sprint(e.ID, " ", e.Rank))
	}
	return lines
}

// deepPage returns the ids and ranks of a page that is read from its finish time on.
func (w *world) deepPage(q record.Leaderboard) []string {
	w.t.Helper()
	rows, err := w.pool.Query(w.t.Context(), records.DeepPageSQL,
		pgx.NamedArgs{"map": q.MapID, "limit": q.Limit, "offset": q.Offset})
	w.must(err)
	lines, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		values, err := row.Values()
		if err != nil {
			return "", err
		}
		var id string
		if err := row.Scan(&id, nil, nil, nil, nil, nil, nil, nil, nil, nil); err != nil {
			return "", err
		}
		return fmt.Sprint(id, " ", values[9]), nil
	})
	w.must(err)
	return lines
}
