package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
)

// purgeSQL passes over rows that another transaction has locked, and no statement after it
// waits for a lock. A submission of the same replay may wait for its row, never the other
// way round.
const purgeSQL = `
	update records set replay_purged_at = now()
	where id = any (array(
		select id from records
		where removed_at < @before and replay_purged_at is null
		order by removed_at limit @limit for update skip locked))
	returning replay_hash`

// PurgeReplays releases the replay files of at most limit records that were removed before a
// time, and returns how many. The records stay, and their replays stay duplicates. key
// returns where the replay with a hash is stored.
func (s *Store) PurgeReplays(
	ctx context.Context, removedBefore time.Time, limit int, key func(hash string) string,
) (count int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, purgeSQL, pgx.NamedArgs{"before": removedBefore, "limit": limit})
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
		return 0, fmt.Errorf("purge the replays of removed records: %w", err)
	}
	return count, nil
}

const usesReplaySQL = `select exists (select from records where replay_hash = $1 and replay_purged_at is null)`

// UsesReplay reports whether a record needs the replay with the hash. A removed record does
// until its replay is purged.
func (s *Store) UsesReplay(ctx context.Context, tx pgx.Tx, hash string) (used bool, err error) {
	if err := tx.QueryRow(ctx, usesReplaySQL, hash).Scan(&used); err != nil {
		return false, fmt.Errorf("use of replay %s: %w", hash, err)
	}
	return used, nil
}
