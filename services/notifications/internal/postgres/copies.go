package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
)

// Player implements lookup.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (event.PlayerState, error) {
	return copies.Player(ctx, s.db, id)
}

// ApplyPlayer implements lookup.PlayerCopies.
func (s *Store) ApplyPlayer(ctx context.Context, p event.PlayerState) error {
	return copies.ApplyPlayer(ctx, s.db, p, func(ctx context.Context, tx pgx.Tx) error {
		return copies.Transfer(ctx, tx, p, merge, forget)
	})
}

// Map implements lookup.MapCopies.
func (s *Store) Map(ctx context.Context, id string) (event.MapState, error) {
	return copies.Map(ctx, s.db, id)
}

// ApplyMap implements lookup.MapCopies.
func (s *Store) ApplyMap(ctx context.Context, m event.MapState) error {
	return copies.ApplyMap(ctx, s.db, m)
}
