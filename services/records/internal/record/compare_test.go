package record_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// With the players exchanged everything is mirrored, in the same order.
func TestNewCompared_mirrored(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var all, exchanged []record.CommonMap
		for i := range random.IntN(20) {
			m := common(fmt.Sprint(i), []string{"", "Classic", "VTOL"}[random.IntN(3)], random.IntN(9), random.IntN(9))
			all = append(all, m)
			exchanged = append(exchanged, record.CommonMap{Map: m.Map, First: m.Second, Second: m.First})
		}
		random.Shuffle(len(exchanged), func(i, j int) { exchanged[i], exchanged[j] = exchanged[j], exchanged[i] })
		order := []record.ComparisonOrder{record.Closest, record.Biggest}[random.IntN(2)]
		q := record.Comparison{Order: order, Page: record.Page{Offset: random.IntN(5), Limit: random.IntN(20)}}
		want, got := record.NewCompared(all, q), record.NewCompared(exchanged, q)
		want.Score = mirrored(want.Score)
		for i := range want.Modes {
			want.Modes[i].Score = mirrored(want.Modes[i].Score)
		}
		want.Maps = slices.Clone(want.Maps)
		for i, m := range want.Maps {
			want.Maps[i].First, want.Maps[i].Second = m.Second, m.First
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%+v (-want +got):\n%s", q, diff)
		}
	}
}

func mirrored(s record.Score) record.Score {
	return record.Score{Wins: s.Losses, Losses: s.Wins, Ties: s.Ties}
}
