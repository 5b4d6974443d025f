package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/players/internal/player"
)

// Update implements player.UpdateStore.
func (s *Store) Update(ctx context.Context, u player.ProfileUpdate) (changed player.Player, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lock(ctx, tx, u.PlayerID, u.ActorID)
		if err != nil {
			return err
		}
		after, err := before.Update(u)
		if err != nil {
			return err
		}
		changed, _, err = save(ctx, tx, before, after, u.At)
		return err
	})
	return changed, err
}
