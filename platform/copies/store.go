package copies

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// Store keeps the copies of players and maps of notifications and moderation. It implements lookup.PlayerCopies and
// lookup.MapCopies.
type Store struct {
	DB postgres.DB
	// Merge and Forget are those of Transfer.
	Merge  func(ctx context.Context, tx pgx.Tx, from, into string) error
	Forget func(ctx context.Context, tx pgx.Tx, playerID string) error
}

// Player implements lookup.PlayerCopies.
func (s Store) Player(ctx context.Context, id string) (event.PlayerState, error) {
	return Player(ctx, s.DB, id)
}

// ApplyPlayer implements lookup.PlayerCopies.
func (s Store) ApplyPlayer(ctx context.Context, p event.PlayerState) error {
	return ApplyPlayer(ctx, s.DB, p, func(ctx context.Context, tx pgx.Tx) error {
		return Transfer(ctx, tx, p, s.Merge, s.Forget)
	})
}

// Map implements lookup.MapCopies.
func (s Store) Map(ctx context.Context, id string) (event.MapState, error) { return Map(ctx, s.DB, id) }

// ApplyMap implements lookup.MapCopies.
func (s Store) ApplyMap(ctx context.Context, m event.MapState) error { return ApplyMap(ctx, s.DB, m) }
