package objectstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

const (
	// UploadGrace is far longer than any upload takes from its note to its claim.
	UploadGrace = time.Hour
	sweepBatch  = 100
)

// Named tells, in one statement on tx, whether any row names the key.
type Named func(ctx context.Context, tx pgx.Tx, key string) (bool, error)

// Sweeper removes the objects that no row names: of uploads that failed half
// way, and those that were released.
type Sweeper struct {
	store *Store
	pool  *postgres.Pool
	named Named
}

// NewSweeper returns the sweeper of a bucket.
func NewSweeper(store *Store, pool *postgres.Pool, named Named) *Sweeper {
	return &Sweeper{store: store, pool: pool, named: named}
}

// Sweep settles the uploads that are pending for longer than olderThan, and
// returns how many objects it removed.
func (s *Sweeper) Sweep(ctx context.Context, olderThan time.Duration) (removed int, err error) {
	for {
		rows, err := s.pool.Query(ctx, `
			select key from pending_uploads
			where created_at <= now() - make_interval(secs => $1)
			group by key
			order by min(created_at)
			limit $2`, olderThan.Seconds(), sweepBatch)
		if err != nil {
			return removed, fmt.Errorf("sweep: %w", err)
		}
		keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return removed, fmt.Errorf("sweep: %w", err)
		}
		settled := 0
		for _, key := range keys {
			gone, notes, err := s.settle(ctx, key, olderThan)
			if err != nil {
				return removed, err
			}
			if gone {
				removed++
			}
			settled += notes
		}
		// Where nothing could be settled, claims are under way: the next sweep comes.
		if len(keys) < sweepBatch || settled == 0 {
			return removed, nil
		}
	}
}

// settle forgets the old pending uploads of key, and removes the object unless
// a row or a younger upload needs it. The lock keeps an upload of the same
// bytes from beginning in between.
func (s *Sweeper) settle(ctx context.Context, key string, olderThan time.Duration) (removed bool, notes int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockKeySQL, key); err != nil {
			return fmt.Errorf("sweep: lock %s: %w", key, err)
		}
		// A note that a claim holds at this moment is left to it.
		tag, err := tx.Exec(ctx, `
			delete from pending_uploads where id in (
				select id from pending_uploads
				where key = $1 and created_at <= now() - make_interval(secs => $2)
				for update skip locked)`, key, olderThan.Seconds())
		if err != nil {
			return fmt.Errorf("sweep %s: %w", key, err)
		}
		notes = int(tag.RowsAffected())
		var awaited bool
		if err := tx.QueryRow(ctx, "select exists (select from pending_uploads where key = $1)", key).Scan(&awaited); err != nil {
			return fmt.Errorf("sweep %s: %w", key, err)
		}
		if awaited || notes == 0 {
			return nil
		}
		// Looked up after "awaited": a claim in between has committed its row by now.
		named, err := s.named(ctx, tx, key)
		if err != nil {
			return fmt.Errorf("sweep %s: %w", key, err)
		}
		if named {
			return nil
		}
		if err := s.store.remove(ctx, key); err != nil {
			return err
		}
		removed = true
		return nil
	})
	return removed, notes, err
}
