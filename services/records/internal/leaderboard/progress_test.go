package leaderboard_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/leaderboard"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	type outcome struct {
		Medal, Next racetime.Medal
		Slowest     int
	}
	for name, tt := range map[string]struct {
		progress leaderboard.Progress
		want     outcome
	}{
		"unplayed":         {leaderboard.Progress{Medals: medals}, outcome{Next: racetime.Bronze, Slowest: 60_000}},
		"no medals":        {leaderboard.Progress{RecordID: "r", FinishTime: 1}, outcome{}},
		"unplayed without": {leaderboard.Progress{}, outcome{}},
		"no medal yet": {
			leaderboard.Progress{Medals: medals, RecordID: "r", FinishTime: 60_033},
			outcome{Next: racetime.Bronze, Slowest: 60_000},
		},
		"just bronze": {
			leaderboard.Progress{Medals: medals, RecordID: "r", FinishTime: 60_000},
			outcome{racetime.Bronze, racetime.Silver, 48_000},
		},
		"gold": {
			leaderboard.Progress{Medals: medals, RecordID: "r", FinishTime: 42_400},
			outcome{racetime.Gold, racetime.Author, 40_000},
		},
		"author": {leaderboard.Progress{Medals: medals, RecordID: "r", FinishTime: 40_000}, outcome{Medal: racetime.Author}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, slowest := tt.progress.NextMedal()
			assert.Equal(t, "outcome", tt.want, outcome{tt.progress.Medal(), next, slowest})
		})
	}
}

func TestParseProgressMaps(t *testing.T) {
	t.Parallel()
	ids := make([]string, leaderboard.MaxProgressMaps+1)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7()).String()
	}
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"one":                {ids[0], ids[:1]},
		"as many as allowed": {strings.Join(ids[:leaderboard.MaxProgressMaps], ","), ids[:leaderboard.MaxProgressMaps]},
		"repeated": {
			strings.Join(append(ids[:leaderboard.MaxProgressMaps:leaderboard.MaxProgressMaps], strings.ToUpper(ids[0])), ","),
			ids[:leaderboard.MaxProgressMaps],
		},
		"blanks":       {" " + ids[0] + " , " + ids[1], ids[:2]},
		"one too many": {strings.Join(ids, ","), nil},
		"empty":        {"", nil},
		"empty part":   {ids[0] + ",", nil},
		"no id":        {"nobody", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := leaderboard.ParseProgressMaps(tt.text)
			if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != (tt.want != nil) {
				t.Errorf("error %v; (-want +got):\n%s", err, diff)
			}
			if err != nil && !errors.Is(err, leaderboard.ErrProgressMaps) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
