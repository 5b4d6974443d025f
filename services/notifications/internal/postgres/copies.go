package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/services/notifications/internal/notification"
)

// Player implements lookup.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (notification.Player, error) {
	return copies.Player(ctx, s.db, id)
}

// ApplyPlayer implements lookup.PlayerCopies. What belongs to a player who was merged is transferred in the same
// transaction, and that of a player whose account was deleted is deleted.
func (s *Store) ApplyPlayer(ctx context.Context, p notification.Player) error {
	return copies.ApplyPlayer(ctx, s.db, p, func(ctx context.Context, tx pgx.Tx) error {
		switch {
		case p.MergedInto != "":
			return merge(ctx, tx, p.ID)
		case p.Deleted:
			return forget(ctx, tx, p.ID)
		}
		return nil
	})
}

// Map implements lookup.MapCopies.
func (s *Store) Map(ctx context.Context, id string) (notification.Map, error) {
	return copies.Map(ctx, s.db, id)
}

// ApplyMap implements lookup.MapCopies.
func (s *Store) ApplyMap(ctx context.Context, m notification.Map) error {
	return copies.ApplyMap(ctx, s.db, m)
}
