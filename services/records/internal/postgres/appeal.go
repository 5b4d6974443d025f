package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
)

// forgetSQL passes over rows that another transaction has locked, and nothing after
// it waits either: whoever hands a run in again waits for its row, and never the
// other way round.
const forgetSQL = `
	update runs set replay_gone_at = now()
	where id = any (array(
		select id from runs
		where removed_at < @before and replay_gone_at is null
		order by removed_at limit @most for update skip locked))
	returning replay_hash`

// ForgetReplays lets go of the replays of at most so many runs that were removed
// before then, and returns of how many. The runs stay, and their replays stay
// refused. key tells where the replay with a hash lies.
func (s *Records) ForgetReplays(ctx context.Context, removedBefore time.Time, most int, key func(hash string) string) (count int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, forgetSQL, pgx.NamedArgs{"before": removedBefore, "most": most})
		if err != nil {
			return err
		}
		hashes, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, hash := range hashes {
			if err := objectstore.Release(ctx, tx, key(hash)); err != nil {
				return err
			}
		}
		count = len(hashes)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("forget replays of removed runs: %w", err)
	}
	return count, nil
}
