package leaderboard_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
)

func TestParseRanking(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 31, 23, 59, 59, 0, time.UTC)
	for _, tt := range []struct {
		by, mode, period string
		want             points.Ranking
		ok               bool
	}{
		{"", "", "", points.Ranking{Period: "all", Kind: points.ByPoints}, true},
		{"finished", "Grapple", "month", points.Ranking{
			Period: "2026-05", Kind: points.ByFinished, Mode: "Grapple",
		}, true},
		{"worldRecords", "", "all", points.Ranking{Period: "all", Kind: points.ByWorldRecords}, true},
		{"level", "", "", points.Ranking{}, false},
		{"", "Hoverboard", "", points.Ranking{}, false},
		{"", "Football", "", points.Ranking{}, false},
		{"", "\xff\x00", "", points.Ranking{}, false},
		{"", "", "year", points.Ranking{}, false},
	} {
		got, err := leaderboard.ParseRanking(tt.by, tt.mode, tt.period, now)
		if got != tt.want || (err == nil) != tt.ok || err != nil &&
			!errors.Is(err, leaderboard.ErrRankingUnknown) && !errors.Is(err, leaderboard.ErrModeUnknown) {
			t.Errorf("by %q, mode %q, period %q: %+v, %v", tt.by, tt.mode, tt.period, got, err)
		}
	}
}
