package record_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

func TestOnlyAFasterRunReplacesTheBest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		times []int
		best  int // index into times
	}{
		{"the first run is the best", []int{900}, 0},
		{"a faster run replaces it", []int{900, 867}, 1},
		{"a slower run does not", []int{900, 933}, 0},
		{"an equal time keeps the first", []int{900, 900}, 0},
		{"of many, the fastest counts", []int{900, 933, 867, 900, 867, 1000}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			best := 0
			for i, time := range tt.times {
				if (record.Run{FinishTime: time}).Beats(record.Run{FinishTime: tt.times[best]}) {
					best = i
				}
			}
			if best != tt.best {
				t.Errorf("of %v the best is number %d, want %d", tt.times, best, tt.best)
			}
		})
	}
}

func TestALeaderboardIsOrderedByTimeThenMomentThenID(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Time { return time.Date(2026, 5, 11, 18, 0, second, 0, time.UTC) }
	want := []record.Run{
		{ID: "d", FinishTime: 867, FinishTimeStamp: at(9)},
		{ID: "c", FinishTime: 900, FinishTimeStamp: at(1)},
		{ID: "a", FinishTime: 900, FinishTimeStamp: at(2)},
		{ID: "b", FinishTime: 900, FinishTimeStamp: at(2)},
		{ID: "e", FinishTime: 933, FinishTimeStamp: at(0)},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, record.Compare)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestOneRunIsTakenOnce(t *testing.T) {
	t.Parallel()
	stamp := time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)
	first := record.Run{ID: "first", MapID: "m", PlayerID: "cloudstep", FinishTime: 900, FinishTimeStamp: stamp, ReplayHash: "aa"}
	for _, tt := range []struct {
		name   string
		change func(*record.Run)
		moment bool
		want   error
	}{
		{"the same file", func(*record.Run) {}, true, record.ErrReplayExists},
		{"another file of the same run", func(r *record.Run) { r.ReplayHash = "bb" }, true, record.ErrReplayExists},
		{"another player's run under a new name", func(r *record.Run) { r.ReplayHash, r.PlayerID = "bb", "mossfoot" }, true, record.ErrReplayCopied},
		{"an equal time at another moment", func(r *record.Run) { r.FinishTimeStamp = stamp.Add(time.Millisecond) }, false, nil},
		{"another time at the same moment", func(r *record.Run) { r.FinishTime = 933 }, false, nil},
		{"the same time and moment on another map", func(r *record.Run) { r.MapID = "n" }, false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			second := first
			second.ID = "second"
			tt.change(&second)
			if got := second.SameMoment(first); got != tt.moment {
				t.Errorf("SameMoment = %v, want %v", got, tt.moment)
			}
			if !tt.moment {
				return
			}
			err := second.AgainstTwin(first)
			if !errors.Is(err, tt.want) || problem.From(err).Data["_id"] != "first" {
				t.Errorf("refused with %v and %v, want %v and the first run's _id", err, problem.From(err).Data, tt.want)
			}
		})
	}
}

func TestAWorldRecordIsAPersonalBestInTheFirstPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		standing record.Standing
		want     bool
	}{
		{record.Standing{Rank: 1, PersonalBest: true}, true},
		{record.Standing{Rank: 1, PersonalBest: false}, false}, // a slower run of who is first
		{record.Standing{Rank: 2, PersonalBest: true}, false},
	} {
		if got := tt.standing.WorldRecord(); got != tt.want {
			t.Errorf("%+v is a world record: %v, want %v", tt.standing, got, tt.want)
		}
	}
}

func TestMedalsFollowTheMap(t *testing.T) {
	t.Parallel()
	medals := racetime.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000}
	for _, tt := range []struct {
		time   int
		medals racetime.Medals
		want   racetime.Medal
	}{
		{40_000, medals, racetime.Author},
		{40_033, medals, racetime.Gold},
		{48_000, medals, racetime.Silver},
		{60_000, medals, racetime.Bronze},
		{60_033, medals, racetime.NoMedal},
		{33, racetime.Medals{}, racetime.NoMedal},
	} {
		t.Run(fmt.Sprintf("%d ms earn %q", tt.time, tt.want), func(t *testing.T) {
			t.Parallel()
			entry := record.Entry{Run: record.Run{FinishTime: tt.time}, Map: record.Map{Medals: tt.medals}}
			if got := entry.Medal(); got != tt.want {
				t.Errorf("medal %q, want %q", got, tt.want)
			}
		})
	}
}
