// Package natsapi connects the players service with the other services over NATS: it consumes their
// events and the moderators' commands, and asks for points. Payloads are validated here.
package natsapi

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

// Copies stores how many maps and records each player has.
type Copies interface {
	ApplyMap(ctx context.Context, m event.MapState) error
	ApplyStats(ctx context.Context, s event.PlayerStats) error
}

// ApplyCopies returns the handler of event.PlayersCopies.
func ApplyCopies(copies Copies) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.MapStatePrefix: eventbus.ApplyState[event.MapState](func(ctx context.Context, m event.MapState) error {
			if !m.Removed && !event.IsID(m.AuthorID) {
				return eventbus.Undecodable(fmt.Errorf("map %s has the author %q", m.ID, m.AuthorID))
			}
			return copies.ApplyMap(ctx, m)
		}),
		event.PlayerStatsPrefix: eventbus.ApplyState[event.PlayerStats](copies.ApplyStats),
	})
}

// CarryOut returns the handler of event.PlayersCommands. A command is authorized before the transaction.
func CarryOut[S player.ModerationStore](
	pool *postgres.Pool, moderator *player.Moderator, store postgres.Transactional[S],
) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.BanPlayerSubject: carryOut(pool, moderator, store, func(c event.BanPlayer) player.Moderation {
			return player.Moderation{Action: access.BanPlayer, PlayerID: c.PlayerID, Until: c.Until, By: c.Attribution}
		}),
		event.UnbanPlayerSubject: carryOut(pool, moderator, store, func(c event.UnbanPlayer) player.Moderation {
			return player.Moderation{Action: access.UnbanPlayer, PlayerID: c.PlayerID, By: c.Attribution}
		}),
		event.MergePlayerSubject: carryOut(pool, moderator, store, func(c event.MergePlayer) player.Moderation {
			return player.Moderation{Action: access.MergePlayer, PlayerID: c.PlayerID, IntoID: c.IntoID, By: c.Attribution}
		}),
	})
}

// carryOut returns the handler of one kind of command.
func carryOut[C event.Command, S player.ModerationStore](
	pool *postgres.Pool, moderator *player.Moderator, store postgres.Transactional[S], read func(c C) player.Moderation,
) eventbus.Handler {
	return eventbus.ConsumeCommand(pool, event.PlayersCommands,
		func(ctx context.Context, c C) (player.Moderation, error) { return moderator.Authorize(ctx, read(c)) },
		func(ctx context.Context, tx pgx.Tx, change player.Moderation) error {
			_, err := store.In(tx).Moderate(ctx, change)
			return err
		})
}
