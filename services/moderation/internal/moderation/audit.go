package moderation

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/readable"
)

// AuditEntry is a row of the audit log of all services.
type AuditEntry struct {
	ID int64
	event.AuditWritten
}

// AuditFilter selects rows, the newest first. Empty fields select all.
type AuditFilter struct {
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

// AuditStore stores the audit log of all services.
type AuditStore interface {
	// AddAuditEntry adds a row.
	AddAuditEntry(ctx context.Context, e event.AuditWritten) error
	// AuditLog returns rows, the newest first. It returns ErrRowUnknown.
	AuditLog(ctx context.Context, f AuditFilter) ([]AuditEntry, error)
}

// AuditLog shows moderators what was changed. It returns access.ErrForbidden, access.ErrDeleted, or a problem of kind
// unavailable.
type AuditLog struct {
	Store   AuditStore
	Players Players
}

// List returns a page of rows, and reports whether there may be another page.
func (l *AuditLog) List(ctx context.Context, by access.Actor, f AuditFilter) (rows []AuditEntry, more bool, err error) {
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadDesk, l.Players.Get)
	if err != nil {
		return nil, false, err
	}
	// No row has a text that cannot be stored.
	if !readable.IsStorable(f.ActorID) || !readable.IsStorable(f.TargetID) || !readable.IsStorable(string(f.Action)) {
		return nil, false, nil
	}
	limit := f.Limit
	f.Limit, f.ViewerID = limit+1, reader.Actor.ID
	rows, err = l.Store.AuditLog(ctx, f)
	if len(rows) > limit {
		return rows[:limit], true, err
	}
	return rows, false, err
}
