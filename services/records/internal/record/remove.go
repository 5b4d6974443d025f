package record

import (
	"context"
	"strings"
	"unicode/utf8"

	"capzone.dev/platform/event"
)

// maxReason is the length of a reason, in characters.
const maxReason = 500

// RemovalStore removes and restores records.
type RemovalStore interface {
	// Remove marks the record as removed. If it was the player's best, the next-best takes its place. Ranks, totals,
	// events and the audit are committed together. The replay stays, and stays a duplicate. It returns
	// ErrRecordUnknown or ErrAlreadyRemoved.
	Remove(ctx context.Context, id string, by Attribution) (Record, error)
	// Restore undoes Remove. It returns ErrRecordUnknown, ErrNotRemoved, ErrReplayPurged, or ErrMapRemoved for a record
	// on a map that is removed.
	Restore(ctx context.Context, id string, by Attribution) (Record, error)
}

// Attribution is who changes something and why, for the audit.
type Attribution struct {
	// Operator is an account on the machine.
	Operator string
	Reason   string
}

// Remove removes a record. It returns ErrRecordUnknown, ErrAlreadyRemoved or
// ErrReasonMissing.
func Remove(ctx context.Context, store RemovalStore, id string, by Attribution) (Record, error) {
	by, err := checkRequest(id, by)
	if err != nil {
		return Record{}, err
	}
	return store.Remove(ctx, id, by)
}

// Restore restores a removed record. It returns ErrRecordUnknown, ErrNotRemoved,
// ErrReplayPurged, ErrMapRemoved or ErrReasonMissing.
func Restore(ctx context.Context, store RemovalStore, id string, by Attribution) (Record, error) {
	by, err := checkRequest(id, by)
	if err != nil {
		return Record{}, err
	}
	return store.Restore(ctx, id, by)
}

// checkRequest returns the attribution without blanks around the reason. It returns
// ErrReasonMissing or ErrRecordUnknown.
func checkRequest(id string, by Attribution) (Attribution, error) {
	by.Reason = strings.TrimSpace(by.Reason)
	switch {
	case by.Reason == "", !utf8.ValidString(by.Reason), strings.ContainsRune(by.Reason, 0),
		utf8.RuneCountInString(by.Reason) > maxReason:
		return Attribution{}, ErrReasonMissing
	case !event.IsID(id):
		return Attribution{}, ErrRecordUnknown
	}
	return by, nil
}
