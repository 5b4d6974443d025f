package leaderboard_test

import (
	"strings"
	"testing"

	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

func TestFileName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		m, player string
		time      int
		want      string
	}{
		{"plain names", "Skyline Run", "cloudstep", 41_267, "Skyline Run - cloudstep - 00-41.27.lbReplay"},
		{"an hour and more", "Long", "a", 6_000_000, "Long - a - 100-00.00.lbReplay"},
		{"letters of any script", "Über den Dächern", "облако", 33, "Über den Dächern - облако - 00-00.03.lbReplay"},
		{"what a file system minds", `../..\etc: "a*b?" <c>|`, "d\x00e", 33,
			"_.._etc_ _a_b__ _c__ - de - 00-00.03.lbReplay"},
		{"line breaks and direction marks", "a\r\nb", "c\u202ed", 33, "ab - cd - 00-00.03.lbReplay"},
		{"nothing left", "...", " ", 33, "_ - _ - 00-00.03.lbReplay"},
		{"long names are cut between letters", strings.Repeat("ä", 60), strings.Repeat("雲", 60), 33,
			strings.Repeat("ä", 40) + " - " + strings.Repeat("雲", 26) + " - 00-00.03.lbReplay"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			entry := record.RankedRecord{Record: record.Record{FinishTime: tt.time}, Map: record.Map{Name: tt.m},
				Player: record.Player{Name: tt.player}}
			if got := leaderboard.FileName(entry); got != tt.want {
				t.Errorf("FileName = %q, want %q", got, tt.want)
			}
		})
	}
}
