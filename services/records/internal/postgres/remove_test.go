package postgres_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

func TestStore_Remove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a, b := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	slow, fast := w.submitted(m, a, 1000), w.submitted(m, a, 900)
	w.submitted(m, b, 933)
	w.wantLeaderboard(m, "1 a 900", "2 b 933")

	w.remove(fast)
	w.wantLeaderboard(m, "1 b 933", "2 a 1000")
	w.wantCounts(map[string]int64{m.ID: 2}, map[string]int64{a.ID: 1, b.ID: 1})
	if _, err := w.get(fast.ID); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("the removed record is still there: %v", err)
	}
	by := access.Attribution{Actor: access.Operator("root"), Reason: "again"}
	if _, err := w.Remove(t.Context(), fast.ID, by); !errors.Is(err, record.ErrAlreadyRemoved) {
		t.Errorf("removed twice: %v", err)
	}

	w.remove(slow)
	w.wantLeaderboard(m, "1 b 933")
	w.wantCounts(map[string]int64{m.ID: 1}, map[string]int64{a.ID: 0, b.ID: 1})
	w.wantStats(record.Stats{Maps: 1, Players: 2, Records: 1})

	// A player whose records were all removed starts again.
	got, err := w.submit(w.record(m, a, 2000))
	w.must(err)
	if diff := cmp.Diff(record.Placement{Rank: 2, PersonalBest: true}, got); diff != "" {
		t.Errorf("standing (-want +got):\n%s", diff)
	}
}

func TestStore_Remove_equalTimes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a")
	best, first, second := w.submitted(m, a, 900), w.record(m, a, 967), w.record(m, a, 967)
	// Neither the moment nor the id decides between a player's own records.
	second.FinishTimeStamp = first.FinishTimeStamp.Add(-duration(1000))
	first.ID, second.ID = second.ID, first.ID
	for _, r := range []record.Record{first, second} {
		_, err := w.submit(r)
		w.must(err)
	}
	w.remove(best)
	for r, want := range map[record.Record]bool{first: true, second: false} {
		entry, err := w.get(r.ID)
		w.must(err)
		if entry.PersonalBest != want {
			t.Errorf("the record of %v is the best: %v, want %v", r.FinishTimeStamp, entry.PersonalBest, want)
		}
	}
}

// The head of a leaderboard and its rows are of one moment, also while its world record is removed and restored.
func TestStore_Leaderboard_while_records_change(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a, b := w.newMap("m", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	w.submitted(m, a, 900)
	best := w.submitted(m, b, 800)
	done, changed := make(chan struct{}), make(chan error)
	go func() {
		by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
		for {
			_, err := w.Remove(t.Context(), best.ID, by)
			if err == nil {
				_, err = w.Restore(t.Context(), best.ID, by)
			}
			select {
			case <-done:
				changed <- err
				return
			default:
			}
			if err != nil {
				<-done
				changed <- err
				return
			}
		}
	}()
	for range 500 {
		list, err := w.Leaderboard(t.Context(), record.Leaderboard{MapID: m.ID, Page: record.Page{Limit: 10}})
		if err != nil || list.Total != int64(len(list.Records)) || !list.Records[0].IsWorldRecord {
			t.Errorf("a total of %d for %+v, %v", list.Total, list.Records, err)
			break
		}
		followed, err := w.FollowedLeaderboard(t.Context(), record.FollowedLeaderboard{
			MapID: m.ID, PlayerIDs: []string{a.ID, b.ID}, Page: record.Page{Limit: 10},
		})
		if err != nil || !followed.Records[0].IsWorldRecord || followed.Records[0].Of != followed.Total {
			t.Errorf("the rows of followed players are %+v, %v", followed, err)
			break
		}
	}
	close(done)
	w.must(<-changed)
}
