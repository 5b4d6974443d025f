// Package natsapi connects the notifications service with the other services over NATS: it consumes their events,
// asks them for what is not in an event, and answers whom a player follows. Payloads are validated here.
package natsapi

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
)

// Copies stores the copies of players and maps.
type Copies interface {
	ApplyPlayer(ctx context.Context, p notification.Player) error
	ApplyMap(ctx context.Context, m notification.Map) error
}

// ApplyCopies returns the handler of event.NotificationsCopies.
func ApplyCopies(copies Copies) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.PlayerStatePrefix: eventbus.ApplyPlayers(copies.ApplyPlayer),
		event.MapStatePrefix: eventbus.ApplyState[event.MapState](func(ctx context.Context, m event.MapState) error {
			return copies.ApplyMap(ctx, mapOf(m))
		}),
	})
}

// Tell returns the handler of event.NotificationsFacts. store returns the store that works in a transaction. The
// notifier, which asks other services, is called before the transaction.
func Tell(
	pool *postgres.Pool, notifier *notification.Notifier, store func(tx pgx.Tx) notification.EffectStore,
) eventbus.Handler {
	apply := func(ctx context.Context, tx pgx.Tx, effect notification.Effect) error {
		return store(tx).Apply(ctx, effect)
	}
	c := event.NotificationsFacts
	return eventbus.Route(map[string]eventbus.Handler{
		event.RecordSubmittedSubject: eventbus.ConsumePreparedFact(pool, c, notifier.RecordSubmitted, apply),
		event.RecordRemovedSubject:   eventbus.ConsumePreparedFact(pool, c, notifier.RecordRemoved, apply),
		event.RecordRestoredSubject:  eventbus.ConsumePreparedFact(pool, c, notifier.RecordRestored, apply),
		event.RecordsHiddenSubject:   eventbus.ConsumePreparedFact(pool, c, notifier.RecordsHidden, apply),
		event.RecordsShownSubject:    eventbus.ConsumePreparedFact(pool, c, notifier.RecordsShown, apply),
		event.MapCreatedSubject:      eventbus.ConsumePreparedFact(pool, c, notifier.MapCreated, apply),
		event.PointsChangedSubject:   eventbus.ConsumePreparedFact(pool, c, notifier.PointsChanged, apply),

		event.ModerationDecidedSubject: eventbus.ConsumePreparedFact(pool, c, notifier.Decided, apply),
		event.ReportClosedSubject:      eventbus.ConsumePreparedFact(pool, c, notifier.ReportClosed, apply),
		event.AppealAnsweredSubject:    eventbus.ConsumePreparedFact(pool, c, notifier.AppealAnswered, apply),
	})
}

// mapOf translates a map's state. Of a tombstone it takes only the version.
func mapOf(s event.MapState) notification.Map {
	if s.Removed {
		return notification.Map{ID: s.ID, Version: s.Version, Removed: true}
	}
	m := notification.Map{
		ID: s.ID, Version: s.Version, Name: s.Name, GameMapID: s.GameMapID, Superseded: s.Superseded,
	}
	if event.IsID(s.AuthorID) {
		m.AuthorID = s.AuthorID
	}
	return m
}
