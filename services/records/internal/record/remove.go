package record

import (
	"context"
	"strings"
	"unicode/utf8"

	"capzone.dev/platform/event"
)

const maxReason = 500 // characters

// Removals takes runs off the boards.
type Removals interface {
	// Remove takes the run off for good. Where it was the player's best, the next-best takes its place. Ranks, totals, the
	// news and the audit commit together; the replay stays, and stays refused. Returns ErrRecordUnknown or
	// ErrAlreadyRemoved.
	Remove(ctx context.Context, id string, act Act) (Run, error)
}

// Act is what an operator does, for the audit.
type Act struct {
	// Operator is the account of who acts.
	Operator string
	Reason   string
}

// Remove takes a run off the boards. Returns ErrRecordUnknown, ErrAlreadyRemoved
// or ErrReasonMissing.
func Remove(ctx context.Context, runs Removals, id string, act Act) (Run, error) {
	act.Reason = strings.TrimSpace(act.Reason)
	switch {
	case act.Reason == "", !utf8.ValidString(act.Reason), utf8.RuneCountInString(act.Reason) > maxReason, strings.ContainsRune(act.Reason, 0):
		return Run{}, ErrReasonMissing
	case !event.IsID(id):
		return Run{}, ErrRecordUnknown
	}
	return runs.Remove(ctx, id, act)
}
