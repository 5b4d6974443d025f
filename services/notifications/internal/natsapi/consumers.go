// Package natsapi connects the notifications service with the other services over NATS: it consumes their events, and
// asks them for what is not in an event. Payloads are validated here.
package natsapi

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
)

// Notify returns the handler of event.NotificationsFacts. The notifier, which asks other services, is called before the
// transaction.
func Notify[S notification.EffectStore](
	pool *postgres.Pool, notifier *notification.Notifier, store postgres.Transactional[S],
) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.RecordSubmittedSubject:   tell(pool, notifier.RecordSubmitted, store),
		event.RecordRemovedSubject:     tell(pool, pure(notification.OfRemoval), store),
		event.RecordRestoredSubject:    tell(pool, pure(notification.OfRestoration), store),
		event.RecordsHiddenSubject:     tell(pool, pure(notification.OfHiding), store),
		event.RecordsShownSubject:      tell(pool, pure(notification.OfShowing), store),
		event.MapCreatedSubject:        tell(pool, notifier.MapCreated, store),
		event.PointsChangedSubject:     tell(pool, pure(notification.OfPoints), store),
		event.ModerationDecidedSubject: tell(pool, pure(notification.OfDecision), store),
		event.ReportClosedSubject:      tell(pool, pure(notification.OfReports), store),
		event.AppealAnsweredSubject:    tell(pool, pure(notification.OfAppeal), store),
	})
}

// pure returns a rule that asks nobody in the form of one that does.
func pure[F event.Fact](rule func(F) notification.Effect) func(context.Context, F) (notification.Effect, error) {
	return func(_ context.Context, fact F) (notification.Effect, error) { return rule(fact), nil }
}

// tell returns the handler of one kind of fact.
func tell[F event.Fact, S notification.EffectStore](
	pool *postgres.Pool, effectOf func(ctx context.Context, fact F) (notification.Effect, error),
	store postgres.Transactional[S],
) eventbus.Handler {
	apply := func(ctx context.Context, tx pgx.Tx, effect *notification.Effect) error {
		return store.In(tx).Apply(ctx, *effect)
	}
	return func(ctx context.Context, subject string, e event.Envelope) error {
		prepare := func(ctx context.Context, fact F) (*notification.Effect, error) {
			effect, err := effectOf(ctx, fact)
			if err != nil || effect.IsEmpty() {
				return nil, err
			}
			effect.Sequence = e.Sequence
			return &effect, nil
		}
		return eventbus.ConsumePreparedFact(pool, event.NotificationsFacts, prepare, apply)(ctx, subject, e)
	}
}
