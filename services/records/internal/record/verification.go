package record

import (
	"context"
	"errors"
	"time"

	"capzone.dev/platform/event"
)

// Verification is what was checked of a replay before its record was accepted, and what was not.
type Verification struct {
	// CheckedAt is when the record was accepted.
	CheckedAt  time.Time
	Checks     []Check
	NotChecked []MissingCheck
}

// Check is a check that was made, with a sentence for people.
type Check struct {
	Name     CheckName
	Result   CheckResult
	Sentence string
}

// MissingCheck is a check that was not made, with a sentence for people.
type MissingCheck struct{ Name, Sentence string }

// CheckName is the name of a check.
type CheckName string

// The checks of replays.
const (
	ReadByServer                   CheckName = "read_by_server"
	OwnReplay                      CheckName = "own_replay"
	WholeFrames                    CheckName = "whole_frames"
	TimeStampPlausible             CheckName = "time_stamp_plausible"
	FileNotSubmittedBefore         CheckName = "file_not_submitted_before"
	FinishNotSubmittedBefore       CheckName = "finish_not_submitted_before"
	MapUnchanged                   CheckName = "map_unchanged"
	FinishUnambiguous              CheckName = "finish_unambiguous"
	FirstRecordOfAuthorOrValidator CheckName = "first_record_of_author_or_validator"
)

// CheckResult is the result of a check of an accepted record.
type CheckResult string

// The results of checks. A check that fails refuses the record.
const (
	Passed        CheckResult = "passed"
	NotApplicable CheckResult = "not_applicable"
)

// checkSentences are the sentences of each check by its result.
var checkSentences = map[CheckName]map[CheckResult]string{
	ReadByServer: {
		Passed: "The server itself read the map, the player, the finish time and the time stamp from the replay file. " +
			"The game has marked the replay as validated, and its labels agree with its map data.",
	},
	OwnReplay: {
		Passed: "The player's name in the replay is that of the account that submitted it and that was proven in the game.",
	},
	WholeFrames: {
		Passed: "The finish time is a whole number of the game's frames, of which there are 30 a second. " +
			"A time in between was rounded to the nearest frame.",
	},
	TimeStampPlausible: {
		Passed:        "The replay's time stamp is not in the future and not older than the game.",
		NotApplicable: "The replay has no time stamp. The record has the time of its submission.",
	},
	FileNotSubmittedBefore: {
		Passed: "The same file was not submitted before.",
	},
	FinishNotSubmittedBefore: {
		Passed: "The same finish was not submitted before in another file: no record on any version of the map has the same " +
			"time and time stamp. For a replay without a time stamp, no record of the player on this version has the same time.",
	},
	MapUnchanged: {
		Passed: "The map in the replay has the physics fingerprint of this version of the map.",
	},
	FinishUnambiguous: {
		Passed: "The replay cannot count as finished at a checkpoint: either all capture zones of the map in the replay are " +
			"named as checkpoints, or none.",
	},
	FirstRecordOfAuthorOrValidator: {
		Passed:        "This is the replay with which the map's author or a validator submitted the map.",
		NotApplicable: "The map was not submitted with this replay, so it may be any player's.",
	},
}

// missingChecks are the checks that are made of no replay.
var missingChecks = []MissingCheck{{
	Name: "simulation",
	Sentence: "The run was not simulated again. That the recorded inputs lead to this finish time " +
		"is the statement of the game that recorded them.",
}}

// errNotApplicable is returned by a check that does not apply to a replay.
var errNotApplicable = errors.New("record: the check does not apply")

// checklist lists the checks of a replay. Only run adds to it, so that no check is listed that was not made.
type checklist struct{ checks []Check }

// run makes a check. It lists a check that returns nil or errNotApplicable, and returns any other error.
func (l *checklist) run(name CheckName, check func() error) error {
	result := Passed
	err := check()
	if errors.Is(err, errNotApplicable) {
		result = NotApplicable
	} else if err != nil {
		return err
	}
	l.checks = append(l.checks, Check{Name: name, Result: result, Sentence: checkSentences[name][result]})
	return nil
}

// verification returns the listed checks as those of a record that is accepted at a time.
func (l *checklist) verification(at time.Time) Verification {
	return Verification{CheckedAt: at, Checks: l.checks, NotChecked: missingChecks}
}

// StoredVerification is the verification of a record that was accepted.
type StoredVerification struct {
	Verification
	MapID, PlayerID string
}

// Verification returns what was checked of a record's replay when the record was accepted. It returns
// ErrRecordUnknown or ErrVerificationMissing.
func (r *Reader) Verification(ctx context.Context, id string) (StoredVerification, error) {
	if !event.IsID(id) {
		return StoredVerification{}, ErrRecordUnknown
	}
	return r.Queries.Verification(ctx, id)
}
