package moderation

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/readable"
)

// LogEntry is a row of the audit log of all services.
type LogEntry struct {
	ID int64
	event.AuditWritten
}

// LogFilter selects rows, the newest first. Empty fields select all.
type LogFilter struct {
	ActorID, TargetID string
	Action            access.Action
	From, To          time.Time
	// Before is the id of the last row of the page before, or 0.
	Before int64
	Limit  int
	// ViewerID is who asks. Rows that tell who has reported what concerns the viewer are left out.
	ViewerID string
}

// MaxExport is the number of rows in an export.
const MaxExport = 10_000

// LogStore reads the audit log.
type LogStore interface {
	// Log returns rows, the newest first. It returns ErrRowUnknown.
	Log(ctx context.Context, f LogFilter) ([]LogEntry, error)
	// FlagPrecisions returns what became of the last flags of each kind.
	FlagPrecisions(ctx context.Context) ([]FlagPrecision, error)
	// Summary returns what the moderators did since a time.
	Summary(ctx context.Context, since time.Time) (Summary, error)
	// IsLookedAt reports whether a case about a record with a flag is open. A text that is no id is no record.
	IsLookedAt(ctx context.Context, recordID string) (bool, error)
}

// Log shows moderators what was changed, and how flags did, and everybody how much was done. It returns
// access.ErrForbidden, ErrPlayerUnknown, or a problem of kind unavailable.
type Log struct {
	Store   LogStore
	Players Players
	Now     func() time.Time
}

// List returns a page of rows, and reports whether there may be another page.
func (l *Log) List(ctx context.Context, by access.Actor, f LogFilter) (rows []LogEntry, more bool, err error) {
	by, err = authorize(ctx, by, access.ReadDesk, l.Players)
	if err != nil {
		return nil, false, err
	}
	// No row has a text that cannot be stored.
	if !readable.IsStorable(f.ActorID) || !readable.IsStorable(f.TargetID) || !readable.IsStorable(string(f.Action)) {
		return nil, false, nil
	}
	limit := f.Limit
	f.Limit, f.ViewerID = limit+1, by.ID
	rows, err = l.Store.Log(ctx, f)
	if len(rows) > limit {
		return rows[:limit], true, err
	}
	return rows, false, err
}
