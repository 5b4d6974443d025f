package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
	"capzone.dev/services/moderation/internal/moderation"
)

// Records asks the records service. It implements moderation.Records.
type Records struct {
	NATS *nats.Conn
}

// Inspect implements moderation.Records.
func (r *Records) Inspect(ctx context.Context, q event.InspectRecord) (event.InspectedRecord, error) {
	answer, err := eventbus.Call[event.InspectedRecord](ctx, r.NATS, event.InspectRecordSubject, q)
	if problem.IsNotFound(err) {
		return event.InspectedRecord{}, moderation.ErrSubjectUnknown
	}
	return answer, err
}
