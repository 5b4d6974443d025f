package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
	"capzone.dev/services/moderation/internal/moderation"
)

// AskMaps returns a function that asks the maps service for a version of a map.
func AskMaps(nc *nats.Conn) func(ctx context.Context, id string) (moderation.Map, error) {
	return func(ctx context.Context, id string) (moderation.Map, error) {
		state, err := eventbus.Call[event.GetMap, event.MapState](ctx, nc, event.GetMapSubject, event.GetMap{ID: id})
		if problem.IsNotFound(err) {
			return moderation.Map{}, moderation.ErrSubjectUnknown
		}
		if err != nil {
			return moderation.Map{}, err
		}
		return mapOf(state), nil
	}
}

// Records asks the records service. It implements moderation.Records.
type Records struct {
	NATS *nats.Conn
}

// Inspect implements moderation.Records.
func (r *Records) Inspect(ctx context.Context, recordID string) (event.InspectedRecord, error) {
	answer, err := eventbus.Call[event.InspectRecord, event.InspectedRecord](ctx, r.NATS, event.InspectRecordSubject,
		event.InspectRecord{RecordID: recordID})
	if problem.IsNotFound(err) {
		return event.InspectedRecord{}, moderation.ErrSubjectUnknown
	}
	return answer, err
}
