package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

// Moderate implements player.ModerationStore.
func (s *Store) Moderate(ctx context.Context, change player.Moderation) (changed player.Player, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lock(ctx, tx, change.PlayerID, change.IntoID)
		if err != nil {
			return err
		}
		after, err := before.Moderate(change)
		if err != nil {
			return err
		}
		p, kept, err := save(ctx, tx, before, after, change.At)
		if err != nil || change.Action != access.MergePlayer {
			changed = p
			return err
		}
		changed = kept
		return cancelDeletion(ctx, tx, p.ID)
	})
	return changed, err
}

const bansOverSQL = `select id from players where banned and ban_until <= @now order by ban_until limit @limit`

// BansOver implements player.ModerationStore.
func (s *Store) BansOver(ctx context.Context, now time.Time, limit int) ([]string, error) {
	ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], bansOverSQL, pgx.NamedArgs{"now": now, "limit": limit})
	return ids, postgres.Wrap(err, "bans that are over")
}
