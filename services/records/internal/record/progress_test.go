package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	type outcome struct {
		Medal, Next racetime.Medal
		Slowest     int
	}
	for name, tt := range map[string]struct {
		progress record.Progress
		want     outcome
	}{
		"unplayed":         {record.Progress{Medals: medals}, outcome{Next: racetime.Bronze, Slowest: 60_000}},
		"no medals":        {record.Progress{RecordID: "r", FinishTime: 1}, outcome{}},
		"unplayed without": {record.Progress{}, outcome{}},
		"no medal yet": {
			record.Progress{Medals: medals, RecordID: "r", FinishTime: 60_033}, outcome{Next: racetime.Bronze, Slowest: 60_000},
		},
		"just bronze": {
			record.Progress{Medals: medals, RecordID: "r", FinishTime: 60_000},
			outcome{racetime.Bronze, racetime.Silver, 48_000},
		},
		"gold": {
			record.Progress{Medals: medals, RecordID: "r", FinishTime: 42_400}, outcome{racetime.Gold, racetime.Author, 40_000},
		},
		"author": {record.Progress{Medals: medals, RecordID: "r", FinishTime: 40_000}, outcome{Medal: racetime.Author}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, slowest := tt.progress.NextMedal()
			if diff := cmp.Diff(tt.want, outcome{tt.progress.Medal(), next, slowest}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseProgressMaps(t *testing.T) {
	t.Parallel()
	ids := make([]string, record.MaxProgressMaps+1)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7()).String()
	}
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"one":                {ids[0], ids[:1]},
		"as many as allowed": {strings.Join(ids[:record.MaxProgressMaps], ","), ids[:record.MaxProgressMaps]},
		"repeated": {
			strings.Join(append(ids[:record.MaxProgressMaps:record.MaxProgressMaps], strings.ToUpper(ids[0])), ","),
			ids[:record.MaxProgressMaps],
		},
		"blanks":       {" " + ids[0] + " , " + ids[1], ids[:2]},
		"one too many": {strings.Join(ids, ","), nil},
		"empty":        {"", nil},
		"empty part":   {ids[0] + ",", nil},
		"no id":        {"nobody", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := record.ParseProgressMaps(tt.text)
			if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != (tt.want != nil) {
				t.Errorf("error %v; (-want +got):\n%s", err, diff)
			}
			if err != nil && !errors.Is(err, record.ErrProgressMaps) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
