// Package natsapi connects the service with the other services over NATS: it consumes their events and the moderators'
// commands, whose payloads are validated here, and asks the owners of players and records.
package natsapi

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Copies stores the copies of players and of the totals of maps.
type Copies interface {
	ApplyPlayer(ctx context.Context, p event.PlayerState) error
	ApplyStats(ctx context.Context, s event.MapStats) error
}

// ApplyCopies returns the handler of event.MapsCopies.
func ApplyCopies(copies Copies) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.PlayerStatePrefix: eventbus.ApplyState(copies.ApplyPlayer),
		event.MapStatsPrefix:    eventbus.ApplyState(copies.ApplyStats),
	})
}

// CarryOut returns the handler of event.MapsCommands.
func CarryOut[S parkourmap.ModerationStore](
	pool *postgres.Pool, moderator *parkourmap.Moderator, store postgres.Transactional[S],
) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.RemoveMapSubject:  carryOut[event.RemoveMap](pool, moderator, store, access.RemoveMap),
		event.RestoreMapSubject: carryOut[event.RestoreMap](pool, moderator, store, access.RestoreMap),
		event.UnrankMapSubject:  carryOut[event.UnrankMap](pool, moderator, store, access.UnrankMap),
		event.RankMapSubject:    carryOut[event.RankMap](pool, moderator, store, access.RankMap),
	})
}

// mapCommand is a command about a version of a map.
type mapCommand interface {
	event.RemoveMap | event.RestoreMap | event.UnrankMap | event.RankMap
	event.Command
}

// carryOut returns the handler of one command, which is authorized before the transaction.
func carryOut[C mapCommand, S parkourmap.ModerationStore](
	pool *postgres.Pool, moderator *parkourmap.Moderator, store postgres.Transactional[S], action access.Action,
) eventbus.Handler {
	return eventbus.ConsumeCommand(pool, event.MapsCommands,
		func(ctx context.Context, command C) (parkourmap.Moderation, error) {
			c := event.RemoveMap(command)
			return moderator.Authorize(ctx, parkourmap.Moderation{Action: action, MapID: c.MapID, By: c.Attribution})
		},
		func(ctx context.Context, tx pgx.Tx, change parkourmap.Moderation) error {
			return store.In(tx).Moderate(ctx, change)
		})
}
