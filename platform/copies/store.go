package copies

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// Store has a service's copies of players and maps. It implements lookup.PlayerCopies and lookup.MapCopies.
type Store struct {
	DB postgres.DB
	// Merge transfers what belongs to a player who was merged, and Forget deletes what belongs to a player whose account
	// was deleted. They are called in the transaction that stores the copy, under the lock of merges.
	Merge, Forget func(ctx context.Context, tx pgx.Tx, playerID string) error
}

// Player implements lookup.PlayerCopies.
func (s Store) Player(ctx context.Context, id string) (event.PlayerState, error) {
	return Player(ctx, s.DB, id)
}

// ApplyPlayer implements lookup.PlayerCopies.
func (s Store) ApplyPlayer(ctx context.Context, p event.PlayerState) error {
	return ApplyPlayer(ctx, s.DB, p, func(ctx context.Context, tx pgx.Tx) error {
		switch {
		case p.MergedInto != "":
			return s.Merge(ctx, tx, p.ID)
		case p.Deleted:
			return s.Forget(ctx, tx, p.ID)
		}
		return nil
	})
}

// Map implements lookup.MapCopies.
func (s Store) Map(ctx context.Context, id string) (event.MapState, error) { return Map(ctx, s.DB, id) }

// ApplyMap implements lookup.MapCopies.
func (s Store) ApplyMap(ctx context.Context, m event.MapState) error { return ApplyMap(ctx, s.DB, m) }
