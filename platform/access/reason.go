package access

import (
	"capzone.dev/platform/problem"
	"capzone.dev/platform/readable"
)

// maxReason is the length of the longest reason, in characters.
const maxReason = 500

// The errors of ParseReason.
var (
	ErrReasonMissing = problem.Unprocessable("reason_missing", "A reason is needed, of at most 500 characters.")
	ErrReasonInvalid = problem.Unprocessable("reason_invalid", "A reason is text of at most 500 characters.")
)

// Reason is why somebody makes a change, for the audit log: text without blanks around it, of 1 to 500 characters.
type Reason string

// ParseReason reads a reason. It returns ErrReasonMissing for an empty one that is required, or ErrReasonInvalid.
func ParseReason(text string, isRequired bool) (Reason, error) {
	reason, ok := readable.Text(text, 0, maxReason)
	switch {
	case !ok:
		return "", ErrReasonInvalid
	case reason == "" && isRequired:
		return "", ErrReasonMissing
	}
	return Reason(reason), nil
}

// PublicReason is the reason of a moderators' decision that the player concerned is told.
type PublicReason string

// The public reasons.
const (
	NotOwnPlay PublicReason = "not_own_play"
	Edited     PublicReason = "edited"
	WrongMap   PublicReason = "wrong_map"
	Stolen     PublicReason = "stolen"
	Broken     PublicReason = "broken"
	Indecent   PublicReason = "indecent"
	Duplicate  PublicReason = "duplicate"
	AltAccount PublicReason = "alt_account"
	Name       PublicReason = "name"
	Avatar     PublicReason = "avatar"
	Mistake    PublicReason = "mistake" // an earlier decision was wrong
	Other      PublicReason = "other"
)

// PublicReasons lists the public reasons.
func PublicReasons() []PublicReason {
	return []PublicReason{
		NotOwnPlay, Edited, WrongMap, Stolen, Broken, Indecent, Duplicate, AltAccount, Name, Avatar, Mistake, Other,
	}
}
