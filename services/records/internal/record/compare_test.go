package record_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/services/records/internal/record"
)

// common returns a map that both players have finished.
func common(id, mode string, first, second int) record.CommonMap {
	return record.CommonMap{
		Map:   record.Map{ID: id, Mode: mode},
		First: record.CommonRecord{FinishTime: first}, Second: record.CommonRecord{FinishTime: second},
	}
}

func TestNewCompared(t *testing.T) {
	t.Parallel()
	won, tied := common("a", "Grapple", 40_000, 41_000), common("c", "", 7000, 7000)
	lost, lostAgain := common("b", "Classic", 50_000, 49_600), common("d", "Classic", 50_500, 50_000)
	all := []record.CommonMap{won, lost, tied, lostAgain}
	score := record.Score{Wins: 1, Losses: 2, Ties: 1}
	modes := []record.ModeScore{
		{Mode: "", Score: record.Score{Ties: 1}}, {Mode: "Classic", Score: record.Score{Losses: 2}},
		{Mode: "Grapple", Score: record.Score{Wins: 1}},
	}
	page := record.Page{Limit: 10}
	for name, tt := range map[string]struct {
		query record.Comparison
		total int64
		want  []record.CommonMap
	}{
		"closest": {record.Comparison{Page: page}, 4, []record.CommonMap{tied, lost, lostAgain, won}},
		"biggest": {
			record.Comparison{Order: record.Biggest, Page: page}, 4, []record.CommonMap{won, lostAgain, lost, tied},
		},
		"behind":       {record.Comparison{BehindBelow: 500, Page: page}, 1, []record.CommonMap{lost}},
		"a page":       {record.Comparison{Page: record.Page{Offset: 1, Limit: 2}}, 4, []record.CommonMap{lost, lostAgain}},
		"past the end": {record.Comparison{Page: record.Page{Offset: 9, Limit: 2}}, 4, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := record.Compared{Score: score, Modes: modes, Maps: tt.want, Total: tt.total}
			if diff := cmp.Diff(want, record.NewCompared(all, tt.query), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
