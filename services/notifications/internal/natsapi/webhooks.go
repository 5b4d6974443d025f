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

// WebhookStore stores deliveries, also in a transaction.
type WebhookStore[S any] interface {
	webhook.EventStore
	postgres.Transactional[S]
}

// Publish returns the handler of event.NotificationsWebhooks. There is no transaction for an event that is for no
// webhook.
func Publish[S webhook.EventStore](
	pool *postgres.Pool, store WebhookStore[S], now func() time.Time, newID func() string,
) eventbus.Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		public, err := publicevent.Translate(subject, e)
		if err != nil {
			return eventbus.Undecodable(err)
		}
		if public == nil {
			return nil
		}
		if ok, err := store.MaySelect(ctx, public); err != nil || !ok {
			return err
		}
		return eventbus.Once(ctx, pool, event.NotificationsWebhooks, e.ID, func(tx pgx.Tx) error {
			return webhook.Publish(ctx, store.In(tx), public, e.At, now(), newID)
		})
	}
}
