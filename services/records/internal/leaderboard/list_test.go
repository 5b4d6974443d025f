package leaderboard_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
)

func TestParseSort(t *testing.T) {
	t.Parallel()
	byTime, updated := string(leaderboard.ByTime), string(leaderboard.ByUpdated)
	for _, tt := range []struct {
		name    string
		by, dir string
		want    leaderboard.Sort
		ok      bool
	}{
		{"nothing printed is newest first", "", "", leaderboard.Newest, true},
		{"updatedAt is newest first", updated, "", leaderboard.Newest, true},
		{"updatedAt desc", updated, "desc", leaderboard.Newest, true},
		{"updatedAt asc", updated, "asc", leaderboard.Sort{By: leaderboard.ByUpdated}, true},
		{"a direction alone", "", "asc", leaderboard.Sort{By: leaderboard.ByUpdated}, true},
		{"finish time is fastest first", byTime, "", leaderboard.Sort{By: leaderboard.ByTime}, true},
		{"finish time asc,asc", byTime, "asc,asc", leaderboard.Sort{By: leaderboard.ByTime}, true},
		{"finish time desc,desc", byTime, "desc,desc", leaderboard.Sort{By: leaderboard.ByTime, Descending: true}, true},
		{"finish time in two directions", byTime, "asc,desc", leaderboard.Sort{}, false},
		{"finish time with one direction", byTime, "asc", leaderboard.Sort{}, false},
		{"updatedAt with two directions", updated, "desc,desc", leaderboard.Sort{}, false},
		{"a direction that is none", updated, "down", leaderboard.Sort{}, false},
		{"a half of a pair", "finishTime", "asc", leaderboard.Sort{}, false},
		{"another case", "UpdatedAt", "", leaderboard.Sort{}, false},
		{"something else", "name", "asc", leaderboard.Sort{}, false},
		{"SQL", "id; drop table records", "", leaderboard.Sort{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := leaderboard.ParseSort(tt.by, tt.dir)
			if !tt.ok {
				if !errors.Is(err, leaderboard.ErrSortUnknown) {
					t.Errorf("ReadSort(%q, %q) = %v, %v; want ErrSortUnknown", tt.by, tt.dir, got, err)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("ReadSort(%q, %q) = %v, %v; want %v", tt.by, tt.dir, got, err, tt.want)
			}
		})
	}
}

func TestCheckLeaderboardSort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		by, dir string
		ok      bool
	}{
		{"", "", true},
		{"finishTime,finishTimeStamp", "asc,asc", true},
		{"finishTime,finishTimeStamp", "", true},
		{"", "asc,asc", true},
		{"finishTime,finishTimeStamp", "desc,desc", false},
		{"updatedAt", "desc", false},
		{"finishTime", "asc", false},
	} {
		err := leaderboard.CheckLeaderboardSort(tt.by, tt.dir)
		if tt.ok && err != nil || !tt.ok && !errors.Is(err, leaderboard.ErrSortUnknown) {
			t.Errorf("sortBy %q, sortDir %q: %v, want ok %v", tt.by, tt.dir, err, tt.ok)
		}
	}
}

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
