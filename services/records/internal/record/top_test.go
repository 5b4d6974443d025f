package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
