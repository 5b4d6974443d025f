package access

import (
	"strings"
	"unicode/utf8"

	"capzone.dev/platform/problem"
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
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "", ErrReasonInvalid
	}
	reason := strings.TrimSpace(text)
	switch {
	case reason == "" && isRequired:
		return "", ErrReasonMissing
	case utf8.RuneCountInString(reason) > maxReason:
		return "", ErrReasonInvalid
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
