package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Moderate implements parkourmap.ModerationStore.
func (s *Store) Moderate(ctx context.Context, change parkourmap.Moderation) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		// AuthorID stays empty where the author does.
		if change.AuthorID, err = copies.LockCurrent(ctx, tx, change.AuthorID); err != nil {
			return err
		}
		before, err := lockGameMapOf(ctx, tx, change.MapID)
		if err != nil {
			return err
		}
		after, err := before.Moderate(change)
		if err != nil {
			return err
		}
		return saveChange(ctx, tx, before, after)
	})
}
