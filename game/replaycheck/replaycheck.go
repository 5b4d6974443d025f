// Package replaycheck says what a replay proves: it turns a replay and the map in it into a list of
// named checks with their results. It decides nothing: a service refuses a replay for the checks that
// failed, in its own order, and adds the checks that need what it has stored.
package replaycheck

import (
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
)

// Name is the name of a check.
type Name string

// The checks of a replay.
const (
	ReadByServer       Name = "read_by_server"
	Validated          Name = "validated"
	LabelsAgree        Name = "labels_agree"
	GameModeMatches    Name = "game_mode_matches"
	OwnReplay          Name = "own_replay"
	FinishTimeGiven    Name = "finish_time_given"
	WholeFrames        Name = "whole_frames"
	TimeStampPlausible Name = "time_stamp_plausible"
	FinishUnambiguous  Name = "finish_unambiguous"
	MapUnchanged       Name = "map_unchanged"
)

// Result is the result of a check.
type Result string

// The results of checks.
const (
	Passed        Result = "passed"
	Failed        Result = "failed"
	NotApplicable Result = "not_applicable"
)

// Failure is why a check failed.
type Failure string

// The failures of checks.
const (
	NoFailure           Failure = ""
	MapDataMissing      Failure = "map_data_missing" // of ReadByServer
	NotValidated        Failure = "not_validated"
	LabelsDisagree      Failure = "labels_disagree"
	GameModeDiffers     Failure = "game_mode_differs"
	AnotherPlayers      Failure = "another_players"
	FinishTimeMissing   Failure = "finish_time_missing"
	BetweenFrames       Failure = "between_frames"
	TimeStampUnreadable Failure = "time_stamp_unreadable"
	TimeStampAhead      Failure = "time_stamp_ahead"
	TimeStampTooOld     Failure = "time_stamp_too_old"
	FinishAmbiguous     Failure = "finish_ambiguous"
	OtherPhysics        Failure = "other_physics"
)

// Check is a check with its result.
type Check struct {
	Name   Name
	Result Result
	// Failure is NoFailure unless the check failed.
	Failure Failure
}

// List is a list of checks.
type List []Check

// Failure returns the failure of the first of the named checks that failed, in the order of names, and
// NoFailure where all of them passed.
func (l List) Failure(names ...Name) Failure {
	for _, name := range names {
		for _, c := range l {
			if c.Name == name && c.Result == Failed {
				return c.Failure
			}
		}
	}
	return NoFailure
}

// Map is what the checks need of the map in a replay.
type Map struct {
	lbreplay.MapLabels
	// Fingerprint identifies how the map plays, in hexadecimal digits.
	Fingerprint string
	// FinishIsAmbiguous is true where a finish could be counted at a zone in the middle of the map.
	FinishIsAmbiguous bool
}

// MapOf returns what the checks need of a map.
func MapOf(m *bonkmap.Map) *Map {
	return &Map{
		MapLabels: *lbreplay.LabelsOf(m), Fingerprint: m.PhysicsFingerprint().String(),
		FinishIsAmbiguous: m.FinishIsAmbiguous(),
	}
}

// OfFile returns the checks that need the replay alone, and the map in it, which is nil for a replay
// without map data.
func OfFile(r *lbreplay.Replay, m *Map) List {
	return List{
		ofRule(ReadByServer, m != nil, MapDataMissing),
		ofRule(Validated, r.Validated, NotValidated),
		ofRule(LabelsAgree, len(r.Disagreements) == 0, LabelsDisagree),
		ofRule(FinishTimeGiven, r.FinishTime > 0, FinishTimeMissing),
		ofRule(WholeFrames, r.FinishTime == racetime.Snap(r.FinishTime), BetweenFrames),
		ofTimeStamp(r),
		ofRule(FinishUnambiguous, m == nil || !m.FinishIsAmbiguous, FinishAmbiguous),
	}
}

// OfPlayer returns the check of the player's name in a replay. own is true where the name is or was that
// of the account that submits the replay.
func OfPlayer(own bool) Check { return ofRule(OwnReplay, own, AnotherPlayers) }

// OfMode returns the check that the mode that the label of a replay names is that of the leaderboard. It does not apply
// where the label, or the leaderboard, has none of the parkour modes.
func OfMode(r *lbreplay.Replay, leaderboard bonkmap.Mode) Check {
	if r.LabelMode == bonkmap.NoMode || !leaderboard.Parkour() {
		return Check{Name: GameModeMatches, Result: NotApplicable}
	}
	return ofRule(GameModeMatches, r.LabelMode == leaderboard, GameModeDiffers)
}

// OfMap returns the check that the map in a replay plays like the accepted map with the fingerprint.
func OfMap(m *Map, fingerprint string) Check {
	return ofRule(MapUnchanged, m != nil && m.Fingerprint == fingerprint, OtherPhysics)
}

// AcceptedFrom returns when a replay is accepted whose time stamp is ahead of the server's clock.
func AcceptedFrom(now time.Time, ahead time.Duration) time.Time {
	return now.Add(ahead - lbreplay.MaxAhead).Truncate(time.Second).Add(time.Second)
}

// ofRule returns a check that passed where the rule holds.
func ofRule(name Name, holds bool, otherwise Failure) Check {
	if holds {
		return Check{Name: name, Result: Passed}
	}
	return Check{Name: name, Result: Failed, Failure: otherwise}
}

// ofTimeStamp returns the check of the time stamp, which a replay need not have.
func ofTimeStamp(r *lbreplay.Replay) Check {
	check := Check{Name: TimeStampPlausible, Result: Failed}
	switch r.TimestampFault {
	case lbreplay.TimestampUnreadable:
		check.Failure = TimeStampUnreadable
	case lbreplay.TimestampAhead:
		check.Failure = TimeStampAhead
	case lbreplay.TimestampTooOld: // it would win every tie
		check.Failure = TimeStampTooOld
	case lbreplay.NoTimestampFault:
		check.Result = Passed
		if r.TimestampMissing {
			check.Result = NotApplicable
		}
	}
	return check
}
