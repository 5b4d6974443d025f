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
	Remove(ctx context.Context, id string, by Attribution) (Run, error)
}

// Attribution says for the audit who changes something, and why.
type Attribution struct {
	// Operator is an account on the machine.
	Operator string
	Reason   string
}

// Remove takes a run off the boards. Returns ErrRecordUnknown, ErrAlreadyRemoved
// or ErrReasonMissing.
func Remove(ctx context.Context, runs Removals, id string, by Attribution) (Run, error) {
	by.Reason = strings.TrimSpace(by.Reason)
	switch {
	case by.Reason == "", !utf8.ValidString(by.Reason), utf8.RuneCountInString(by.Reason) > maxReason, strings.ContainsRune(by.Reason, 0):
		return Run{}, ErrReasonMissing
	case !event.IsID(id):
		return Run{}, ErrRecordUnknown
	}
	return runs.Remove(ctx, id, by)
}
