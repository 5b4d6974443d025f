package leaderboard_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// common returns a map that both players have finished.
func common(id, mode string, first, second int) leaderboard.CommonMap {
	return leaderboard.CommonMap{
		Map:   record.Map{ID: id, Mode: mode},
		First: leaderboard.CommonRecord{FinishTime: first}, Second: leaderboard.CommonRecord{FinishTime: second},
	}
}

func TestNewCompared(t *testing.T) {
	t.Parallel()
	won, tied := common("a", "Grapple", 40_000, 41_000), common("c", "", 7000, 7000)
	lost, lostAgain := common("b", "Classic", 50_000, 49_600), common("d", "Classic", 50_500, 50_000)
	all := []leaderboard.CommonMap{won, lost, tied, lostAgain}
	score := leaderboard.Score{Wins: 1, Losses: 2, Ties: 1}
	modes := []leaderboard.ModeScore{
		{Mode: "", Score: leaderboard.Score{Ties: 1}}, {Mode: "Classic", Score: leaderboard.Score{Losses: 2}},
		{Mode: "Grapple", Score: leaderboard.Score{Wins: 1}},
	}
	page := leaderboard.Page{Limit: 10}
	for name, tt := range map[string]struct {
		query leaderboard.Comparison
		total int64
		want  []leaderboard.CommonMap
	}{
		"closest": {leaderboard.Comparison{Page: page}, 4, []leaderboard.CommonMap{tied, lost, lostAgain, won}},
		"biggest": {
			leaderboard.Comparison{Order: leaderboard.Biggest, Page: page}, 4,
			[]leaderboard.CommonMap{won, lostAgain, lost, tied},
		},
		"behind": {leaderboard.Comparison{BehindBelow: new(500), Page: page}, 1, []leaderboard.CommonMap{lost}},
		"a page": {
			leaderboard.Comparison{Page: leaderboard.Page{Offset: 1, Limit: 2}}, 4, []leaderboard.CommonMap{lost, lostAgain},
		},
		"past the end": {leaderboard.Comparison{Page: leaderboard.Page{Offset: 9, Limit: 2}}, 4, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := leaderboard.Compared{Score: score, Modes: modes, Maps: tt.want, Total: tt.total}
			assert.Equal(t, "comparison", want, leaderboard.NewCompared(all, tt.query), cmpopts.EquateEmpty())
		})
	}
}

func TestCompared_Preview(t *testing.T) {
	t.Parallel()
	ann, bob := record.Player{Name: "Ann", SkinColor: "#8e24aa"}, record.Player{Name: "Bob"}
	for _, tt := range []struct {
		score leaderboard.Score
		line  string
	}{
		{leaderboard.Score{}, "0 maps in common"},
		{leaderboard.Score{Losses: 1}, "1 map in common"},
		{leaderboard.Score{Wins: 12, Losses: 7, Ties: 1}, "20 maps in common · 1 tie"},
		{leaderboard.Score{Ties: 2}, "2 maps in common · 2 ties"},
	} {
		want := sharecard.Comparison{
			First: sharecard.Ball{Name: "Ann", Color: "#8e24aa"}, Second: sharecard.Ball{Name: "Bob"},
			Wins: tt.score.Wins, Losses: tt.score.Losses, Line: tt.line,
		}
		got := leaderboard.Compared{First: ann, Second: bob, Score: tt.score}.Preview()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.score, diff)
		}
	}
}
