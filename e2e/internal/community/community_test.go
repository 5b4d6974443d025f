package community

import (
	"slices"
	"testing"
	"time"

	"capzone.dev/game/lbreplay"
)

func TestRunsAreSpreadAsAmongRealMaps(t *testing.T) {
	t.Parallel()
	boards := slices.Clone(counts[:Boards])
	total := 0
	for _, n := range boards {
		total += n
	}
	slices.Sort(boards)
	if total < Runs*99/100 || total > Runs {
		t.Errorf("%d runs", total)
	}
	if middle := boards[Boards/2]; middle < 110 || middle > 135 {
		t.Errorf("%d runs on the median map", middle)
	}
	if boards[0] < 1 || boards[Boards-1] != BigRuns || RunsOf(Big) != BigRuns || RunsOf(Giant) != GiantRuns || RunsOf(FirstCourse) != 0 {
		t.Errorf("from %d to %d runs; the largest maps have %d and %d", boards[0], boards[Boards-1], RunsOf(Big), RunsOf(Giant))
	}
}

func TestNoPlayerHasTwoRunsOnAMapOrTwoOfOneMoment(t *testing.T) {
	t.Parallel()
	players, stamps := map[int]bool{}, map[time.Time]bool{}
	for j := range BigRuns {
		r := runOf(Big, j)
		if players[r.player] || stamps[r.stamp] {
			t.Fatalf("run %d: %+v", j, r)
		}
		players[r.player], stamps[r.stamp] = true, true
	}
}

func TestReplaysOfCoursesAreTaken(t *testing.T) {
	t.Parallel()
	courses, err := NewCourses()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	ms := courses[3].Time(1.1)
	file, err := courses[3].Replay(17, ms, at)
	if err != nil {
		t.Fatal(err)
	}
	replay, err := lbreplay.Parse(file, at)
	if err != nil || !replay.Validated || len(replay.Disagreements) > 0 || replay.PlayerName != PlayerName(17) || replay.FinishTime != ms || !replay.Timestamp.Equal(at) {
		t.Errorf("%+v, %v", replay, err)
	}
}
