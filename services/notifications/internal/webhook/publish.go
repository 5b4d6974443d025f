package webhook

import (
	"context"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/publicevent"
)

// EventStore finds the webhooks that select events, and stores deliveries.
type EventStore interface {
	// Selecting returns the ids of the webhooks that are on, select an event that happened at a time, and were made
	// before. Those of banned players are left out. An event may name a player who was merged since: filters name whom
	// the player was merged into.
	Selecting(ctx context.Context, e *publicevent.Event, happened time.Time) ([]string, error)
	// AddDeliveries adds the deliveries of an event. A webhook that was switched off or deleted meanwhile gets none.
	AddDeliveries(ctx context.Context, p Publication) error
}

// Publication is what is to be sent of an event.
type Publication struct {
	// Delivery is what all deliveries of the event have, without an id.
	Delivery Delivery
	// WebhookIDs and IDs are the ids of the webhooks and of their deliveries.
	WebhookIDs, IDs []string
}

// IsEmpty reports whether the event is for no webhook.
func (p Publication) IsEmpty() bool { return len(p.WebhookIDs) == 0 }

// Publisher prepares the deliveries of events.
type Publisher struct {
	Store EventStore
	NewID func() string
	Now   func() time.Time
}

// Prepare returns what is to be sent of an event that happened at a time.
func (p *Publisher) Prepare(ctx context.Context, e *publicevent.Event, happened time.Time) (Publication, error) {
	webhooks, err := p.Store.Selecting(ctx, e, happened)
	if err != nil || len(webhooks) == 0 {
		return Publication{}, err
	}
	ids := make([]string, len(webhooks))
	for i := range ids {
		ids[i] = p.NewID()
	}
	delivery, err := newDelivery("", string(e.Kind), e.Data, happened, event.InMillis(p.Now()))
	return Publication{Delivery: delivery, WebhookIDs: webhooks, IDs: ids}, err
}
