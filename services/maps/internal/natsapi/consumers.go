// Package natsapi connects the service with the other services over NATS: it consumes their
// events and the moderators' commands, whose payloads are validated here, answers their requests
// about maps, and asks the owners of players and records.
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
		event.PlayerStatePrefix: eventbus.ApplyPlayers(copies.ApplyPlayer),
		event.MapStatsPrefix:    eventbus.ApplyState[event.MapStats](copies.ApplyStats),
	})
}

// CarryOut returns the handler of event.MapsCommands.
func CarryOut[S parkourmap.ModerationStore](
	pool *postgres.Pool, moderator *parkourmap.Moderator, store postgres.Transactional[S],
) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.RemoveMapSubject: eventbus.ConsumePreparedCommand(pool, event.MapsCommands,
			func(ctx context.Context, c event.RemoveMap) (_ event.RemoveMap, err error) {
				c.Attribution, err = moderator.Authorize(ctx, c.MapID, c.Attribution, access.RemoveMap)
				return c, err
			},
			func(ctx context.Context, tx pgx.Tx, c event.RemoveMap) error {
				return store.In(tx).Remove(ctx, c.MapID, moderator.Now(), c.Attribution)
			}),
		event.RestoreMapSubject: eventbus.ConsumePreparedCommand(pool, event.MapsCommands,
			func(ctx context.Context, c event.RestoreMap) (_ event.RestoreMap, err error) {
				c.Attribution, err = moderator.Authorize(ctx, c.MapID, c.Attribution, access.RestoreMap)
				return c, err
			},
			func(ctx context.Context, tx pgx.Tx, c event.RestoreMap) error {
				return store.In(tx).Restore(ctx, c.MapID, c.Attribution)
			}),
		event.UnrankMapSubject: eventbus.ConsumePreparedCommand(pool, event.MapsCommands,
			func(ctx context.Context, c event.UnrankMap) (_ event.UnrankMap, err error) {
				c.Attribution, err = moderator.Authorize(ctx, c.MapID, c.Attribution, access.UnrankMap)
				return c, err
			},
			func(ctx context.Context, tx pgx.Tx, c event.UnrankMap) error {
				return store.In(tx).Unrank(ctx, c.MapID, c.Attribution)
			}),
		event.RankMapSubject: eventbus.ConsumePreparedCommand(pool, event.MapsCommands,
			func(ctx context.Context, c event.RankMap) (_ event.RankMap, err error) {
				c.Attribution, err = moderator.Authorize(ctx, c.MapID, c.Attribution, access.RankMap)
				return c, err
			},
			func(ctx context.Context, tx pgx.Tx, c event.RankMap) error {
				return store.In(tx).Rank(ctx, c.MapID, c.Attribution)
			}),
	})
}
