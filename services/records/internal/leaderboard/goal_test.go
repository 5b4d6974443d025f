package leaderboard_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

var medals = racetime.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000}

func TestNearestGoals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		candidate leaderboard.Candidate
		want      string
	}{
		"the next medal":         {leaderboard.Candidate{Medals: medals, FinishTime: 42_500, Above: 41_000}, "gold in 100"},
		"the next place":         {leaderboard.Candidate{Medals: medals, FinishTime: 45_000, Above: 44_000}, "place in 1033"},
		"a row of the same time": {leaderboard.Candidate{Medals: medals, FinishTime: 45_000, Above: 45_000}, "place in 33"},
		"a medal and a place of the same time": {
			leaderboard.Candidate{Medals: medals, FinishTime: 48_100, Above: 48_033}, "silver in 100",
		},
		"without medal times":     {leaderboard.Candidate{FinishTime: 45_000, Above: 40_000}, "place in 5033"},
		"first with a medal left": {leaderboard.Candidate{Medals: medals, FinishTime: 40_033}, "author in 33"},
		"a place after the author medal": {
			leaderboard.Candidate{Medals: medals, FinishTime: 39_000, Above: 38_000}, "place in 1033",
		},
		"nothing left":            {leaderboard.Candidate{Medals: medals, FinishTime: 40_000}, ""},
		"first without medals":    {leaderboard.Candidate{FinishTime: 40_000}, ""},
		"behind the fastest time": {leaderboard.Candidate{FinishTime: 40_000, Above: 33}, ""},
		"put aside":               {leaderboard.Candidate{Medals: medals, FinishTime: 42_500, PutAside: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got string
			for _, g := range leaderboard.NearestGoals([]leaderboard.Candidate{tt.candidate}) {
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
	candidate := func(id string, finishTime, gold int) leaderboard.Candidate {
		return leaderboard.Candidate{MapID: id, FinishTime: finishTime, Medals: racetime.Medals{
			Author: 1, Gold: gold, Silver: 100_000, Bronze: 100_000,
		}}
	}
	var got []string
	for _, g := range leaderboard.NearestGoals([]leaderboard.Candidate{
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
	assert.Equal(t, "goals", want, got)
}

// goalStore answers with what it has.
type goalStore struct {
	leaderboard.GoalStore
	candidates []leaderboard.Candidate
}

func (s goalStore) Candidates(context.Context, string, time.Time) ([]leaderboard.Candidate, error) {
	return s.candidates, nil
}

func (goalStore) CompleteGoals(_ context.Context, _ string, goals []leaderboard.Goal) ([]leaderboard.Goal, error) {
	return goals, nil
}

func (goalStore) EasiestUnplayed(context.Context, string, time.Time) ([]record.Map, error) {
	return []record.Map{{ID: "easy", Medals: medals}, {ID: "without medals"}}, nil
}

// Maps that the player has not finished are offered to newcomers, and where nothing is left to reach on the others.
func TestGoals_Next(t *testing.T) {
	t.Parallel()
	silver := leaderboard.Candidate{MapID: "silver", Medals: medals, FinishTime: 45_000}
	author := leaderboard.Candidate{MapID: "author", Medals: medals, FinishTime: 39_000}
	for name, tt := range map[string]struct {
		candidates []leaderboard.Candidate
		newcomer   bool
		want       []string
	}{
		"few finished": {slices.Repeat([]leaderboard.Candidate{silver}, 4), true, []string{"easy 60000", "without medals 0"}},
		"nothing left": {slices.Repeat([]leaderboard.Candidate{author}, 5), true, []string{"easy 60000", "without medals 0"}},
		"goals":        {append(slices.Repeat([]leaderboard.Candidate{author}, 4), silver), false, []string{"silver 42400"}},
	} {
		goals := leaderboard.Goals{Store: goalStore{candidates: tt.candidates}, Players: anyPlayer{}, Now: time.Now}
		got, err := goals.Next(t.Context(), annID)
		var lines []string
		for _, g := range got.Goals {
			lines = append(lines, fmt.Sprint(g.Map.ID, " ", g.Target.FinishTime))
		}
		if diff := cmp.Diff(tt.want, lines); diff != "" || got.Newcomer != tt.newcomer || err != nil {
			t.Errorf("%s: newcomer %v, %v (-want +got):\n%s", name, got.Newcomer, err, diff)
		}
	}
}
