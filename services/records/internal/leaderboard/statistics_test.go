package leaderboard_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

func TestNewStatistics(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 31, 23, 30, 0, 0, time.FixedZone("east", 7200))
	on := func(id, mode string, medals racetime.Medals, finishTime int, rank, players int64) leaderboard.Standing {
		return leaderboard.Standing{
			Map: record.Map{ID: id, Mode: mode, Medals: medals}, FinishTime: finishTime, Rank: rank, Players: players,
		}
	}
	got := leaderboard.NewStatistics(leaderboard.PlayerRecords{
		Standings: []leaderboard.Standing{
			on("a", "Classic", medals, 40_000, 3, 9), on("b", "Classic", racetime.Medals{}, 1, 1, 2),
			on("c", "Grapple", medals, 61_000, 0, 500), on("d", "Grapple", medals, 48_000, 1, 7),
		},
		Maps:   map[string]int{"": 1, "Classic": 5, "Grapple": 2, "VTOL": 3},
		Months: map[string]int{"2026-05": 4, "2024-06": 2, "2024-05": 7},
	}, now)
	modes := []leaderboard.ModeStatistics{
		{Mode: "", Maps: 1, Medals: map[racetime.Medal]int{}},
		{Mode: "Classic", Finished: 2, Maps: 5, Medals: map[racetime.Medal]int{racetime.Author: 1, racetime.NoMedal: 1}},
		{Mode: "Grapple", Finished: 2, Maps: 2, Medals: map[racetime.Medal]int{racetime.Silver: 1, racetime.NoMedal: 1}},
		{Mode: "VTOL", Maps: 3, Medals: map[racetime.Medal]int{}},
	}
	if diff := cmp.Diff(modes, got.Modes); diff != "" || got.Finished != 4 || got.Maps != 11 {
		t.Errorf("%d of %d; modes (-want +got):\n%s", got.Finished, got.Maps, diff)
	}
	var placements []string
	for _, p := range got.BestPlacements {
		placements = append(placements, fmt.Sprintf("%s %d of %d", p.Map.ID, p.Rank, p.Players))
	}
	assert.Equal(t, "best placements", []string{"d 1 of 7", "b 1 of 2", "a 3 of 9"}, placements)
	months := make([]leaderboard.MonthRecords, 24)
	for i := range months {
		months[i].Month = time.Date(2024, time.June+time.Month(i), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
	}
	months[0].Records, months[23].Records = 2, 4
	assert.Equal(t, "activity", months, got.Activity)
}

func TestNewStatistics_placements_are_ten(t *testing.T) {
	t.Parallel()
	var of leaderboard.PlayerRecords
	var want []int64
	for rank := int64(30); rank > 0; rank-- {
		of.Standings = append(of.Standings, leaderboard.Standing{Rank: rank, Players: 30})
	}
	var got []int64
	for _, p := range leaderboard.NewStatistics(of, time.Now()).BestPlacements {
		got = append(got, p.Rank)
	}
	for rank := range int64(10) {
		want = append(want, rank+1)
	}
	assert.Equal(t, "ranks", want, got)
}

func TestReign_Duration(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 5, 11, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		until, now time.Time
		want       time.Duration
	}{
		"ended":              {from.Add(time.Hour), from.Add(time.Minute), time.Hour},
		"goes on":            {time.Time{}, from.Add(time.Minute), time.Minute},
		"from a later clock": {time.Time{}, from.Add(-time.Minute), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := (leaderboard.Reign{From: from, Until: tt.until}).Duration(tt.now); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
