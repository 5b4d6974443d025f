package record

import (
	"context"

	"capzone.dev/platform/event"
)

// Inspect answers on event.InspectRecordSubject. It returns ErrRecordUnknown.
func (r *Reader) Inspect(ctx context.Context, q event.InspectRecord) (event.InspectedRecord, error) {
	if !event.IsID(q.RecordID) {
		return event.InspectedRecord{}, ErrRecordUnknown
	}
	return r.Queries.Inspect(ctx, q.RecordID)
}
