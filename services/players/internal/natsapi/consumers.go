// Package natsapi connects the players service with the other services over NATS: it consumes their
// events and the moderators' commands, and asks for points. Payloads are validated here.
package natsapi

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

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

// CarryOut returns the handler of event.PlayersCommands. moderator returns the moderator that works in a transaction.
func CarryOut(pool *postgres.Pool, moderator func(tx pgx.Tx) *player.Moderator) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.BanPlayerSubject: eventbus.ConsumeCommand(pool, event.PlayersCommands,
			func(ctx context.Context, tx pgx.Tx, c event.BanPlayer) error {
				_, err := moderator(tx).Ban(ctx, c.PlayerID, c.Until, c.Attribution)
				return err
			}),
		event.UnbanPlayerSubject: eventbus.ConsumeCommand(pool, event.PlayersCommands,
			func(ctx context.Context, tx pgx.Tx, c event.UnbanPlayer) error {
				_, err := moderator(tx).Unban(ctx, c.PlayerID, c.Attribution)
				return err
			}),
		event.MergePlayerSubject: eventbus.ConsumeCommand(pool, event.PlayersCommands,
			func(ctx context.Context, tx pgx.Tx, c event.MergePlayer) error {
				_, err := moderator(tx).Merge(ctx, c.PlayerID, c.IntoID, c.Attribution)
				return err
			}),
	})
}
