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
	// Merge gives what belongs to a player who was merged to whom the player was merged into. It is called in the
	// transaction that stores the copy, under the lock of merges, so that nothing is added for the player meanwhile.
	Merge func(ctx context.Context, tx pgx.Tx, from, into string) error
	// Forget deletes what belongs to a player whose account was deleted. It is called as Merge is.
	Forget func(ctx context.Context, tx pgx.Tx, playerID string) error
}

// In returns the store whose changes are part of tx.
func (s Store) In(tx pgx.Tx) Store {
	s.DB = s.DB.In(tx)
	return s
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
			return s.merge(ctx, tx, p.ID)
		case p.Deleted:
			return s.Forget(ctx, tx, p.ID)
		}
		return nil
	})
}

// merge calls Merge, and Forget where the account of whom the player was merged into was deleted: the states of the two
// may have come in another order.
func (s Store) merge(ctx context.Context, tx pgx.Tx, from string) error {
	into, err := Current(ctx, tx, from)
	if err != nil {
		return err
	}
	if err := s.Merge(ctx, tx, from, into); err != nil {
		return err
	}
	if deleted, err := IsDeleted(ctx, tx, into); err != nil || !deleted {
		return err
	}
	return s.Forget(ctx, tx, into)
}

// Map implements lookup.MapCopies.
func (s Store) Map(ctx context.Context, id string) (event.MapState, error) { return Map(ctx, s.DB, id) }

// ApplyMap implements lookup.MapCopies.
func (s Store) ApplyMap(ctx context.Context, m event.MapState) error { return ApplyMap(ctx, s.DB, m) }
