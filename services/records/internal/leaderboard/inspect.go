package leaderboard

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// Inspect answers on event.InspectRecordSubject. It returns ErrRecordUnknown.
func (a *Answers) Inspect(ctx context.Context, q event.InspectRecord) (event.InspectedRecord, error) {
	if !event.IsID(q.RecordID) {
		return event.InspectedRecord{}, record.ErrRecordUnknown
	}
	return a.Queries.Inspect(ctx, q.RecordID)
}
