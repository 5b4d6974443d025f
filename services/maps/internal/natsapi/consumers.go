// Package natsapi connects the service with the other services over NATS: it consumes their
// events and the moderators' commands, whose payloads are validated here, answers their requests
// about maps, and asks the owners of players and records.
package natsapi

import (
	"context"

	"github.com/jackc/pgx/v5"

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
		event.PlayerStatePrefix: eventbus.ApplyPlayers(copies.ApplyPlayer),
		event.MapStatsPrefix:    eventbus.ApplyState[event.MapStats](copies.ApplyStats),
	})
}

// CarryOut returns the handler of event.MapsCommands. moderator returns the moderator that works in a transaction.
func CarryOut(pool *postgres.Pool, moderator func(tx pgx.Tx) *parkourmap.Moderator) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.RemoveMapSubject: eventbus.ConsumeCommand(pool, event.MapsCommands,
			func(ctx context.Context, tx pgx.Tx, c event.RemoveMap) error {
				return moderator(tx).Remove(ctx, c.MapID, c.Attribution)
			}),
		event.RestoreMapSubject: eventbus.ConsumeCommand(pool, event.MapsCommands,
			func(ctx context.Context, tx pgx.Tx, c event.RestoreMap) error {
				return moderator(tx).Restore(ctx, c.MapID, c.Attribution)
			}),
		event.UnrankMapSubject: eventbus.ConsumeCommand(pool, event.MapsCommands,
			func(ctx context.Context, tx pgx.Tx, c event.UnrankMap) error {
				return moderator(tx).Unrank(ctx, c.MapID, c.Attribution)
			}),
		event.RankMapSubject: eventbus.ConsumeCommand(pool, event.MapsCommands,
			func(ctx context.Context, tx pgx.Tx, c event.RankMap) error {
				return moderator(tx).Rank(ctx, c.MapID, c.Attribution)
			}),
	})
}
