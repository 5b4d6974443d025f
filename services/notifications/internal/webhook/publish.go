package webhook

import (
	"context"
	"time"

	"capzone.dev/platform/publicevent"
)

// EventStore stores deliveries.
type EventStore interface {
	// MaySelect reports whether any webhook is on and has a filter with the event's type, and with its mode, its map, one
	// of its players or none of these.
	MaySelect(ctx context.Context, e *publicevent.Event) (bool, error)
	// AddDeliveries adds a delivery, without an id, for each webhook that is on, selects an event that happened at a time,
	// and was made before. Webhooks of banned players get none.
	AddDeliveries(ctx context.Context, e *publicevent.Event, happened time.Time, delivery Delivery) error
}

// Publish adds the deliveries of an event that happened at a time.
func Publish(ctx context.Context, store EventStore, e *publicevent.Event, happened, now time.Time) error {
	delivery, err := newDelivery("", string(e.Kind), e.Data, happened, now)
	if err != nil {
		return err
	}
	return store.AddDeliveries(ctx, e, happened, delivery)
}
