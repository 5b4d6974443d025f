package leaderboard

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// InspectQueries reads single records with what moderators compare them with.
type InspectQueries interface {
	// Inspect returns a record, removed or not, as event.InspectedRecord, or ErrRecordUnknown.
	Inspect(ctx context.Context, recordID string) (event.InspectedRecord, error)
}

// Inspect answers on event.InspectRecordSubject. It returns ErrRecordUnknown.
func (a *Answers) Inspect(ctx context.Context, q event.InspectRecord) (event.InspectedRecord, error) {
	if !event.IsID(q.RecordID) {
		return event.InspectedRecord{}, record.ErrRecordUnknown
	}
	return a.Queries.Inspect(ctx, q.RecordID)
}
