// Package natsapi connects the notifications service with the other services over NATS: it consumes their events, and
// asks them for what is not in an event. Payloads are validated here.
package natsapi

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

// Notify returns the handler of event.NotificationsFacts. The notifier, which asks other services, is called before the
// transaction.
func Notify[S notification.EffectStore](
	pool *postgres.Pool, notifier *notification.Notifier, store postgres.Transactional[S],
) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.RecordSubmittedSubject:   notify(pool, notifier.RecordSubmitted, store),
		event.RecordRemovedSubject:     notify(pool, pure(notification.OfRemoval), store),
		event.RecordRestoredSubject:    notify(pool, pure(notification.OfRestoration), store),
		event.RecordsHiddenSubject:     notify(pool, pure(notification.OfHiding), store),
		event.RecordsShownSubject:      notify(pool, pure(notification.OfShowing), store),
		event.MapCreatedSubject:        notify(pool, notifier.MapCreated, store),
		event.PointsChangedSubject:     notify(pool, pure(notification.OfPoints), store),
		event.ModerationDecidedSubject: notify(pool, pure(notification.OfDecision), store),
		event.ReportClosedSubject:      notify(pool, pure(notification.OfReports), store),
		event.AppealAnsweredSubject:    notify(pool, pure(notification.OfAppeal), store),
	})
}

// pure returns a rule that asks nobody in the form of one that does.
func pure[F event.Fact](rule func(F) notification.Effect) func(context.Context, F) (notification.Effect, error) {
	return func(_ context.Context, fact F) (notification.Effect, error) { return rule(fact), nil }
}

// notify returns the handler of one kind of fact.
func notify[F event.Fact, S notification.EffectStore](
	pool *postgres.Pool, effectOf func(ctx context.Context, fact F) (notification.Effect, error),
	store postgres.Transactional[S],
) eventbus.Handler {
	return func(ctx context.Context, _ string, e event.Envelope) error {
		fact, err := event.Decode[F](e)
		if err != nil {
			return eventbus.Undecodable(err)
		}
		effect, err := effectOf(ctx, fact)
		if err != nil || effect.IsEmpty() {
			return err
		}
		effect.Sequence, effect.At = e.Sequence, e.At
		return eventbus.Once(ctx, pool, event.NotificationsFacts, e.ID, func(tx pgx.Tx) error {
			return store.In(tx).Apply(ctx, effect)
		})
	}
}

// Publish returns the handler of event.NotificationsWebhooks. The webhooks that select an event are found before the
// transaction, and there is none for an event that is for no webhook.
func Publish[S webhook.EventStore](
	pool *postgres.Pool, publisher *webhook.Publisher, store postgres.Transactional[S],
) eventbus.Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		public, err := publicevent.Translate(subject, e)
		if err != nil {
			return eventbus.Undecodable(err)
		}
		if public == nil {
			return nil
		}
		publication, err := publisher.Prepare(ctx, public, e.At)
		if err != nil || publication.IsEmpty() {
			return err
		}
		return eventbus.Once(ctx, pool, event.NotificationsWebhooks, e.ID, func(tx pgx.Tx) error {
			return store.In(tx).AddDeliveries(ctx, publication)
		})
	}
}
