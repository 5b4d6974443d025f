package natsapi

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/webhook"
)

// Publish returns the handler of event.NotificationsWebhooks.
func Publish[S webhook.EventStore](pool *postgres.Pool, store postgres.Transactional[S]) eventbus.Handler {
	return eventbus.ConsumeFacts(pool, event.NotificationsWebhooks,
		func(ctx context.Context, tx pgx.Tx, subject string, envelope event.Envelope) error {
			public, err := publicevent.Translate(subject, envelope)
			if err != nil {
				return eventbus.Undecodable(err)
			}
			if public == nil {
				return nil
			}
			return webhook.Publish(ctx, store.In(tx), public, envelope.At, time.Now())
		})
}
