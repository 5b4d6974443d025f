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

// Tell returns the handler of event.NotificationsFacts. notifier returns the notifier that works in a transaction.
func Tell(pool *postgres.Pool, notifier func(tx pgx.Tx) *notification.Notifier) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.RecordSubmittedSubject: consume(pool, notifier, (*notification.Notifier).RecordSubmitted),
		event.RecordRemovedSubject:   consume(pool, notifier, (*notification.Notifier).RecordRemoved),
		event.RecordRestoredSubject:  consume(pool, notifier, (*notification.Notifier).RecordRestored),
		event.RecordsHiddenSubject:   consume(pool, notifier, (*notification.Notifier).RecordsHidden),
		event.RecordsShownSubject:    consume(pool, notifier, (*notification.Notifier).RecordsShown),
		event.MapCreatedSubject:      consume(pool, notifier, (*notification.Notifier).MapCreated),
	})
}

// consume calls a method of the notifier once for each fact. A fact of something without an id is undecodable.
func consume[F event.Fact](
	pool *postgres.Pool, notifier func(tx pgx.Tx) *notification.Notifier,
	tell func(n *notification.Notifier, ctx context.Context, fact F) error,
) eventbus.Handler {
	return eventbus.ConsumeFact(pool, event.NotificationsFacts, func(ctx context.Context, tx pgx.Tx, fact F) error {
		return tell(notifier(tx), ctx, fact)
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
