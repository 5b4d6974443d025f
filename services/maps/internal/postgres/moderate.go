package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/copies"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Moderate implements parkourmap.ModerationStore.
func (s *Store) Moderate(ctx context.Context, change parkourmap.Moderation) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
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

// Reassign implements parkourmap.ModerationStore.
func (s *Store) Reassign(
	ctx context.Context, by access.Attribution, id string, author parkourmap.Player, at time.Time,
) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		authorID, err := copies.LockCurrent(ctx, tx, author.ID)
		if err != nil {
			return err
		}
		before, err := lockGameMapOf(ctx, tx, id)
		if err != nil {
			return err
		}
		after, err := before.Reassign(id, authorID, at, by)
		if err != nil {
			return err
		}
		return saveChange(ctx, tx, before, after)
	})
}
