package record_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

func TestRecord_Beats(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		times []int
		best  int // index into times
	}{
		{"the first record is the best", []int{900}, 0},
		{"a faster record replaces it", []int{900, 867}, 1},
		{"a slower record does not", []int{900, 933}, 0},
		{"an equal time keeps the first", []int{900, 900}, 0},
		{"of many, the fastest counts", []int{900, 933, 867, 900, 867, 1000}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			best := 0
			for i, time := range tt.times {
				if (record.Record{FinishTime: time}).Beats(record.Record{FinishTime: tt.times[best]}) {
					best = i
				}
			}
			if best != tt.best {
				t.Errorf("of %v the best is number %d, want %d", tt.times, best, tt.best)
			}
		})
	}
}

func TestRecord_DuplicateProblem(t *testing.T) {
	t.Parallel()
	stamp := time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)
	first := record.Record{ID: "first", MapID: "m", PlayerID: "cloudstep", FinishTime: 900, FinishTimeStamp: stamp,
		ReplayHash: "aa"}
	for _, tt := range []struct {
		name   string
		change func(*record.Record)
		want   error
	}{
		{"the same file", func(*record.Record) {}, record.ErrReplayExists},
		{"another file of the same record", func(r *record.Record) { r.ReplayHash = "bb" }, record.ErrReplayExists},
		{"another player's record under a new name", func(r *record.Record) { r.ReplayHash, r.PlayerID = "bb", "mossfoot" },
			record.ErrReplayCopied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			second := first
			second.ID = "second"
			tt.change(&second)
			err := second.DuplicateProblem(first)
			if !errors.Is(err, tt.want) || problem.From(err).Data["_id"] != "first" {
				t.Errorf("refused with %v and %v, want %v and the first record's _id", err, problem.From(err).Data, tt.want)
			}
		})
	}
}

func TestPlacement_WorldRecord(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		placement record.Placement
		want      bool
	}{
		{record.Placement{Rank: 1, PersonalBest: true}, true},
		{record.Placement{Rank: 1, PersonalBest: false}, false}, // a slower record of who is first
		{record.Placement{Rank: 2, PersonalBest: true}, false},
	} {
		if got := tt.placement.WorldRecord(); got != tt.want {
			t.Errorf("%+v is a world record: %v, want %v", tt.placement, got, tt.want)
		}
	}
}

func TestEntry_Medal(t *testing.T) {
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
			entry := record.Entry{Record: record.Record{FinishTime: tt.time}, Map: record.Map{Medals: tt.medals}}
			if got := entry.Medal(); got != tt.want {
				t.Errorf("medal %q, want %q", got, tt.want)
			}
		})
	}
}
