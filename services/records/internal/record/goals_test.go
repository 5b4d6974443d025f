package record_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

func TestNearestGoals(t *testing.T) {
	t.Parallel()
	medals := racetime.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000}
	for name, tt := range map[string]struct {
		candidate record.Candidate
		want      string
	}{
		"the next medal":         {record.Candidate{Medals: medals, FinishTime: 42_500, Above: 41_000}, "gold in 100"},
		"the next place":         {record.Candidate{Medals: medals, FinishTime: 45_000, Above: 44_000}, "place in 1033"},
		"a row of the same time": {record.Candidate{Medals: medals, FinishTime: 45_000, Above: 45_000}, "place in 33"},
		"a medal and a place of the same time": {
			record.Candidate{Medals: medals, FinishTime: 48_100, Above: 48_033}, "silver in 100",
		},
		"without medal times":     {record.Candidate{FinishTime: 45_000, Above: 40_000}, "place in 5033"},
		"first with a medal left": {record.Candidate{Medals: medals, FinishTime: 40_033}, "author in 33"},
		"a place after the author medal": {
			record.Candidate{Medals: medals, FinishTime: 39_000, Above: 38_000}, "place in 1033",
		},
		"nothing left":            {record.Candidate{Medals: medals, FinishTime: 40_000}, ""},
		"first without medals":    {record.Candidate{FinishTime: 40_000}, ""},
		"behind the fastest time": {record.Candidate{FinishTime: 40_000, Above: 33}, ""},
		"put aside":               {record.Candidate{Medals: medals, FinishTime: 42_500, PutAside: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got string
			for _, g := range record.NearestGoals([]record.Candidate{tt.candidate}) {
				target := string(g.Target.Medal)
				if g.Target.Medal == racetime.NoMedal {
					target = "place"
				}
				got = fmt.Sprintf("%s in %d", target, g.Gap())
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestNearestGoals_order(t *testing.T) {
	t.Parallel()
	candidate := func(id string, finishTime, gold int) record.Candidate {
		return record.Candidate{MapID: id, FinishTime: finishTime, Medals: racetime.Medals{
			Author: 1, Gold: gold, Silver: 100_000, Bronze: 100_000,
		}}
	}
	var got []string
	for _, g := range record.NearestGoals([]record.Candidate{
		candidate("half of ten seconds", 10_000, 5000), candidate("a tenth of ten seconds", 10_000, 9000),
		candidate("b: a fiftieth of fifty seconds", 50_000, 49_000), candidate("a: the same", 50_000, 49_000),
		candidate("a hundredth of ten seconds", 10_000, 9900), candidate("a fifth of ten seconds", 10_000, 8000),
	}) {
		got = append(got, g.Map.ID)
	}
	want := []string{
		"a hundredth of ten seconds", "a: the same", "b: a fiftieth of fifty seconds", "a tenth of ten seconds",
		"a fifth of ten seconds",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
