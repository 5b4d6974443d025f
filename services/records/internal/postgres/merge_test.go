package postgres_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// tombstone returns the state that says that a player was merged into another.
func (w *world) merge(from, into record.Player) {
	w.t.Helper()
	w.must(w.ApplyPlayer(w.t.Context(), tombstone(from, into)))
}

func tombstone(from, into record.Player) record.Player {
	return record.Player{ID: from.ID, Version: from.Version + 1, Removed: true, MergedInto: into.ID}
}

func TestStore_ApplyPlayer_merged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	both, faster, alone, gone := w.newMap("both", racetime.Medals{}), w.newMap("faster",
		racetime.Medals{}), w.newMap("alone", racetime.Medals{}), w.newMap("gone", racetime.Medals{})
	old, kept, other := w.newPlayer("old"), w.newPlayer("kept"), w.newPlayer("other")
	first := w.submitted(both, old, 900)
	second := w.submitted(both, kept, 900)
	w.submitted(both, other, 867)
	w.submitted(both, old, 2000)
	w.submitted(faster, old, 967)
	w.submitted(faster, kept, 500)
	accepted := w.submitted(alone, old, 1000)
	w.remove(w.submitted(alone, old, 100))
	w.submitted(gone, old, 1000)
	w.must(w.ApplyMap(t.Context(), record.Map{ID: gone.ID, Version: 2, Removed: true}))

	for range 2 { // a message may come twice
		w.merge(old, kept)
		w.wantLeaderboard(both, "1 other 867", "2 kept 900")
		w.wantLeaderboard(faster, "1 kept 500")
		w.wantLeaderboard(alone, "1 kept 1000")
		w.wantStats(record.Stats{Maps: 3, Players: 2, Records: 7})
		w.wantCounts(
			map[string]int64{both.ID: 4, faster.ID: 2, alone.ID: 1, gone.ID: 0},
			map[string]int64{old.ID: 0, kept.ID: 6, other.ID: 1})
	}
	// Of the player's equal runs the one that was accepted first is the best, regardless of who submitted it.
	for rec, want := range map[record.Record]bool{first: true, second: false, accepted: true} {
		entry, err := w.get(rec.ID)
		w.must(err)
		if entry.PersonalBest != want || entry.PlayerID != kept.ID || entry.Player.Name != "kept" {
			t.Errorf("the record of %d is %+v, want a personal best %v", rec.FinishTime, entry, want)
		}
	}
	for player, want := range map[string]int64{old.ID: 0, kept.ID: 6} {
		page, err := w.List(t.Context(), record.List{PlayerID: player, Sort: record.Newest, Page: record.Page{Limit: 10}})
		w.must(err)
		if page.Total != want || len(page.Records) != int(want) {
			t.Errorf("%d of %d records are listed, want %d", len(page.Records), page.Total, want)
		}
	}

	again := w.record(both, kept, 900)
	again.FinishTimeStamp = first.FinishTimeStamp
	if _, err := w.submit(again); !errors.Is(err, record.ErrReplayExists) {
		t.Errorf("the old player's record again: %v", err)
	}
	w.remove(first)
	w.wantLeaderboard(both, "1 other 867", "2 kept 900")
	w.remove(second)
	w.wantLeaderboard(both, "1 other 867", "2 kept 2000")
}

func TestStore_ApplyPlayer_mergedInAnyOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, published := range [][]int{{0, 1}, {1, 0}, {1, 0, 1}, {0, 1, 0}} {
		m := w.newMap("m", racetime.Medals{})
		a, b, c := w.newPlayer("a"), w.newPlayer("b"), w.newPlayer("c")
		w.submitted(m, a, 900)
		w.submitted(m, b, 1000)
		links := []record.Player{tombstone(a, b), tombstone(b, c)}
		for _, i := range published {
			w.must(w.ApplyPlayer(t.Context(), links[i]))
		}
		w.must(w.ApplyPlayer(t.Context(), a)) // an older state, late
		w.wantLeaderboard(m, "1 c 900")
		if _, players := w.counts(); players[a.ID] != 0 || players[b.ID] != 0 || players[c.ID] != 2 {
			t.Errorf("merged in the order %v: %d, %d and %d records", published, players[a.ID], players[b.ID], players[c.ID])
		}
	}
}

// An earlier release, without merges, has stored the tombstone without MergedInto.
func TestStore_ApplyPlayer_mergedAfterTombstone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, old, kept := w.newMap("m", racetime.Medals{}), w.newPlayer("old"), w.newPlayer("kept")
	w.submitted(m, old, 900)
	w.must(w.ApplyPlayer(t.Context(), record.Player{ID: old.ID, Version: old.Version + 1, Removed: true}))
	w.merge(old, kept)
	w.wantLeaderboard(m, "1 kept 900")
	w.wantStats(record.Stats{Maps: 1, Players: 1, Records: 1})
}

func TestStore_Submit_ofMergedPlayer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, old, kept := w.newMap("m", racetime.Medals{}), w.newPlayer("old"), w.newPlayer("kept")
	w.merge(old, kept)
	if _, err := w.submit(w.record(m, old, 900)); !errors.Is(err, event.ErrPlayerMerged) {
		t.Errorf("a record was added for a merged player: %v", err)
	}
	w.wantLeaderboard(m)
	w.wantStats(record.Stats{Maps: 1, Players: 1})
	got, err := w.Player(t.Context(), old.ID)
	w.must(err)
	if diff := cmp.Diff(tombstone(old, kept), got); diff != "" {
		t.Errorf("copy (-want +got):\n%s", diff)
	}
}

func TestStore_Submit_whilePlayerIsMerged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, n := w.newMap("m", racetime.Medals{}), w.newMap("n", racetime.Medals{})
	// a into b into c, merged concurrently.
	a, b, c := w.newPlayer("a"), w.newPlayer("b"), w.newPlayer("c")
	var recs []record.Record
	for i := range 20 {
		recs = append(recs, w.record(m, a, 2000-i*33), w.record(n, b, 2000+i*33), w.record(m, c, 3000-i*33))
	}
	links := map[int]record.Player{20: tombstone(b, c), 30: tombstone(a, b)}
	var wg sync.WaitGroup
	errs := make([]error, len(recs))
	for i, r := range recs {
		wg.Go(func() {
			_, errs[i] = w.submit(r)
			if link, ok := links[i]; ok {
				if err := w.ApplyPlayer(t.Context(), link); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	added, best := 0, map[string]int{}
	for i, err := range errs {
		switch {
		case err == nil:
			added++
			if known, ok := best[recs[i].MapID]; !ok || recs[i].FinishTime < known {
				best[recs[i].MapID] = recs[i].FinishTime
			}
		case !errors.Is(err, event.ErrPlayerMerged) || recs[i].PlayerID == c.ID:
			t.Error(err)
		}
	}
	_, players := w.counts()
	if players[a.ID] != 0 || players[b.ID] != 0 || players[c.ID] != int64(added) {
		t.Errorf("of %d records %d, %d and %d are counted", added, players[a.ID], players[b.ID], players[c.ID])
	}
	page, err := w.List(t.Context(), record.List{PlayerID: c.ID, Sort: record.Newest, Page: record.Page{Limit: 100}})
	w.must(err)
	if len(page.Records) != added || slices.ContainsFunc(page.Records,
		func(e record.RankedRecord) bool { return e.Player.Name != "c" }) {
		t.Errorf("of %d records %d are listed", added, len(page.Records))
	}
	for _, m := range []record.Map{m, n} {
		if time, ok := best[m.ID]; ok {
			w.wantLeaderboard(m, fmt.Sprintf("1 c %d", time))
		}
	}
}

// A player whom a hidden one was merged into becomes hidden, and the fact names the world records of others that are in
// force again.
func TestStore_ApplyPlayer_merged_while_hidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.newMap("m", racetime.Medals{})
	old, kept, other := w.newPlayer("old"), w.newPlayer("kept"), w.newPlayer("other")
	second := w.submitted(m, other, 2000)
	w.submitted(m, kept, 1000)
	w.submitted(m, old, 500)
	w.must(w.setHidden(old, true))
	w.merge(old, kept)
	want := event.RecordsHidden{PlayerID: kept.ID, WorldRecords: []event.MapWorldRecord{{
		MapID:       m.ID,
		WorldRecord: event.WorldRecord{RecordID: second.ID, PlayerID: other.ID, FinishTime: 2000, At: second.CreatedAt},
	}}, Reason: "two players were merged, and the records of one of them are hidden"}
	got := outboxtest.Last[event.RecordsHidden](t, w.pool)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(event.RecordsHidden{}, "At")); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
}

// The records of a player who was merged into a hidden one become hidden, with the same fact.
func TestStore_ApplyPlayer_merged_into_hidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, quiet := w.newMap("m", racetime.Medals{}), w.newMap("quiet", racetime.Medals{})
	from, into, other := w.newPlayer("from"), w.newPlayer("into"), w.newPlayer("other")
	second := w.submitted(m, other, 2000)
	w.submitted(m, from, 1000)
	w.submitted(quiet, other, 500)
	w.submitted(quiet, from, 600)
	w.must(w.setHidden(into, true))
	facts[event.RecordsHidden](w)
	w.merge(from, into)
	want := []event.RecordsHidden{{PlayerID: into.ID, WorldRecords: []event.MapWorldRecord{{
		MapID:       m.ID,
		WorldRecord: event.WorldRecord{RecordID: second.ID, PlayerID: other.ID, FinishTime: 2000, At: second.CreatedAt},
	}}, Reason: "two players were merged, and the records of one of them are hidden"}}
	got := facts[event.RecordsHidden](w)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(event.RecordsHidden{}, "At")); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	w.wantLeaderboard(m, "1 other 2000")
}
