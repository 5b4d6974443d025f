package record_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// topOf makes rows of players, each of which is a second slower than the one before.
func topOf(players ...string) (top record.Top) {
	for i, player := range players {
		top = append(top, record.Row{PlayerID: player, RecordID: "of " + player, FinishTime: 1000 * (i + 1)})
	}
	return top
}

func TestTop_With(t *testing.T) {
	t.Parallel()
	eleven := strings.Split("abcdefghijk", "")
	stamp := time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		before record.Top
		player string
		time   int
		stamp  time.Time
		order  string
		moved  string // the players with their places before and after
	}{
		{"on an empty leaderboard", nil, "x", 500, stamp, "x", ""},
		{"a new player in the middle", topOf("a", "b", "c"), "x", 1500, stamp, "axbc", "b 2-3, c 3-4"},
		{"a new player at the end", topOf("a", "b"), "x", 2500, stamp, "abx", ""},
		{"a player who improves by one place", topOf("a", "b", "c"), "c", 1500, stamp, "acb", "b 2-3"},
		{"a player who improves and stays", topOf("a", "b", "c"), "b", 1500, stamp, "abc", ""},
		{"an equal time with a later time stamp", topOf("a", "b"), "x", 1000, stamp, "axb", "b 2-3"},
		{"an equal time with an earlier time stamp", topOf("a", "b"), "x", 1000, time.Time{}.Add(-1), "xab", "a 1-2, b 2-3"},
		{"somebody leaves the first ten", topOf(eleven...), "x", 8500, stamp, "abcdefghxij", "i 9-10, j 10-11"},
		{"somebody enters them at the last place", topOf(eleven...), "k", 9500, stamp, "abcdefghikj", "j 10-11"},
		{"below the first ten", topOf(eleven...), "x", 10_500, stamp, "abcdefghijx", ""},
		{"below what is known", topOf(eleven...), "x", 90_000, stamp, "abcdefghijk", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			after := tt.before.With(record.Record{
				ID: "new", PlayerID: tt.player, FinishTime: tt.time, FinishTimeStamp: tt.stamp,
			})
			var order, moved []string
			for _, row := range after {
				order = append(order, row.PlayerID)
			}
			for _, m := range tt.before.Moved(after, tt.player) {
				moved = append(moved, fmt.Sprintf("%s %d-%d", m.PlayerID, m.From, m.To))
			}
			if diff := cmp.Diff([]string{tt.order, tt.moved},
				[]string{strings.Join(order, ""), strings.Join(moved, ", ")}); diff != "" {
				t.Errorf("order and moves (-want +got):\n%s", diff)
			}
		})
	}
}

// Submissions and removals in random order: the first rows give the moves that the whole leaderboard gives.
func TestTop_Moved_as_whole_leaderboards(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	var rows record.Top
	for step := range 2000 {
		r := record.Record{
			ID: fmt.Sprintf("%04d", step), PlayerID: fmt.Sprint(random.IntN(40)), FinishTime: 1000 + random.IntN(300),
			FinishTimeStamp: time.Unix(int64(random.IntN(5)), 0),
		}
		i := slices.IndexFunc(rows, func(row record.Row) bool { return row.PlayerID == r.PlayerID })
		if i >= 0 && rows[i].FinishTime <= r.FinishTime {
			rows = slices.Delete(slices.Clone(rows), i, i+1) // not a personal best: the player's row is removed instead
			continue
		}
		after := slices.DeleteFunc(slices.Clone(rows), func(row record.Row) bool { return row.PlayerID == r.PlayerID })
		after = append(after, record.Row{
			PlayerID: r.PlayerID, RecordID: r.ID, FinishTime: r.FinishTime, FinishTimeStamp: r.FinishTimeStamp,
		})
		slices.SortFunc(after, record.Row.Compare)
		var want []event.MovedPlayer
		for _, m := range rows.Moved(after, r.PlayerID) {
			if min(m.From, m.To) <= event.TopPlaces {
				want = append(want, m)
			}
		}
		top := rows[:min(len(rows), record.TopRows)]
		if diff := cmp.Diff(want, top.Moved(top.With(r), r.PlayerID)); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", step, diff)
		}
		rows = after
	}
}
