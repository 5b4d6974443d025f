package record_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

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

func TestLeaderboardState_Place(t *testing.T) {
	t.Parallel()
	fastest := &event.WorldRecord{RecordID: "w", PlayerID: "x", FinishTime: 900}
	for _, tt := range []struct {
		name  string
		state record.LeaderboardState
		time  int
		first bool
		want  record.Placement
		err   error
	}{
		{"the first record of a map", record.LeaderboardState{}, 900, false,
			record.Placement{Active: true, PersonalBest: true, WorldRecord: true}, nil},
		{"a slower player", record.LeaderboardState{WorldRecord: fastest}, 933, false,
			record.Placement{Active: true, PersonalBest: true}, nil},
		{"an equal time of another player", record.LeaderboardState{WorldRecord: fastest}, 900, false,
			record.Placement{Active: true, PersonalBest: true, EqualsWorldRecord: true}, nil},
		{"an equal time of the holder", record.LeaderboardState{WorldRecord: fastest, PreviousBest: 900}, 900, false,
			record.Placement{Active: true, PreviousBest: 900, EqualsWorldRecord: true}, nil},
		{"a faster one", record.LeaderboardState{WorldRecord: fastest, PreviousBest: 933}, 867, false,
			record.Placement{
				Active: true, PersonalBest: true, PreviousBest: 933, WorldRecord: true, PreviousWorldRecord: fastest,
			}, nil},
		{"a slower one of the player", record.LeaderboardState{WorldRecord: fastest, PreviousBest: 933}, 967, false,
			record.Placement{Active: true, PreviousBest: 933}, nil},
		{"on a removed map", record.LeaderboardState{MapRemoved: true}, 900, false, record.Placement{}, record.ErrMapRemoved},
		{"of a deleted player", record.LeaderboardState{PlayerDeleted: true}, 900, false, record.Placement{},
			access.ErrDeleted},
		{"of a banned player", record.LeaderboardState{PlayerBanned: true, MapRemoved: true}, 900, false, record.Placement{},
			record.ErrSubmitterBanned},
		{"a first record of a banned player", record.LeaderboardState{PlayerBanned: true}, 900, true,
			record.Placement{Active: true, PersonalBest: true, WorldRecord: true}, nil},
		{"of a hidden player", record.LeaderboardState{PlayerHidden: true}, 900, false, record.Placement{},
			record.ErrPlayerHidden},
		{"a first record on a removed map", record.LeaderboardState{MapRemoved: true}, 900, true, record.Placement{}, nil},
		{"a first record of a hidden player", record.LeaderboardState{PlayerHidden: true}, 900, true, record.Placement{},
			nil},
		{"a first record on a map that is being restored", record.LeaderboardState{MapRemoved: true, MapRestoring: true}, 900,
			true, record.Placement{}, record.ErrMapRestoring},
		{"on a map that is being restored", record.LeaderboardState{MapRemoved: true, MapRestoring: true}, 900, false,
			record.Placement{}, record.ErrMapRemoved},
		{"a finish of another version", record.LeaderboardState{FinishExists: true}, 900, false, record.Placement{},
			record.ErrReplayExists},
		{"a first record with a finish of another version", record.LeaderboardState{FinishExists: true}, 900, true,
			record.Placement{Active: true, PersonalBest: true, WorldRecord: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.state.Place(record.Accepted{Record: record.Record{FinishTime: tt.time}, First: tt.first})
			if diff := cmp.Diff(tt.want, got); diff != "" || !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v; placement (-want +got):\n%s", err, tt.err, diff)
			}
		})
	}
}
