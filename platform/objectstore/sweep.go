package objectstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

const (
	// UploadGrace is far longer than any upload takes from its pending row to its claim.
	UploadGrace = time.Hour
	sweepBatch  = 100
)

// IsReferenced reports, in one statement on tx, whether a row names the key.
type IsReferenced func(ctx context.Context, tx pgx.Tx, key string) (bool, error)

// Sweeper removes the objects that no row names: those of uploads that were not claimed, and
// those that were released.
type Sweeper struct {
	store        *Store
	pool         *postgres.Pool
	isReferenced IsReferenced
}

// NewSweeper returns the sweeper of a bucket.
func NewSweeper(store *Store, pool *postgres.Pool, isReferenced IsReferenced) *Sweeper {
	return &Sweeper{store, pool, isReferenced}
}

const (
	listPendingSQL = `
		select key from pending_uploads
		where created_at <= now() - make_interval(secs => @age)
		group by key
		order by min(created_at)
		limit @limit`
	// settlePendingSQL leaves a row to the claim that has locked it.
	settlePendingSQL = `
		delete from pending_uploads where id in (
			select id from pending_uploads
			where key = @key and created_at <= now() - make_interval(secs => @age)
			for update skip locked)`
	isPendingSQL = `select exists (select from pending_uploads where key = $1)`
)

// Sweep removes the objects of uploads that are pending for longer than olderThan and that no
// row names, and returns how many.
func (s *Sweeper) Sweep(ctx context.Context, olderThan time.Duration) (removed int, err error) {
	for {
		rows, err := s.pool.Query(ctx, listPendingSQL, pgx.NamedArgs{"age": olderThan.Seconds(), "limit": sweepBatch})
		if err != nil {
			return removed, fmt.Errorf("sweep: %w", err)
		}
		keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return removed, fmt.Errorf("sweep: %w", err)
		}
		settled := 0
		for _, key := range keys {
			isRemoved, n, err := s.settle(ctx, key, olderThan)
			if err != nil {
				return removed, err
			}
			if isRemoved {
				removed++
			}
			settled += n
		}
		// If nothing was settled, claims hold all rows. The next sweep settles what they leave.
		if len(keys) < sweepBatch || settled == 0 {
			return removed, nil
		}
	}
}

// settle deletes the old pending rows of key, and removes the object unless a row or a newer
// upload needs it. It returns how many rows it has deleted. The lock keeps an upload of the same
// key from beginning meanwhile.
func (s *Sweeper) settle(ctx context.Context, key string, olderThan time.Duration) (removed bool, settled int,
	err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockKeySQL, key); err != nil {
			return fmt.Errorf("sweep: lock %s: %w", key, err)
		}
		tag, err := tx.Exec(ctx, settlePendingSQL, pgx.NamedArgs{"key": key, "age": olderThan.Seconds()})
		if err != nil {
			return fmt.Errorf("sweep %s: %w", key, err)
		}
		settled = int(tag.RowsAffected())
		var pending bool
		if err := tx.QueryRow(ctx, isPendingSQL, key).Scan(&pending); err != nil {
			return fmt.Errorf("sweep %s: %w", key, err)
		}
		if pending || settled == 0 {
			return nil
		}
		// This is checked after the pending rows: a claim in between has committed its row by now.
		referenced, err := s.isReferenced(ctx, tx, key)
		if err != nil {
			return fmt.Errorf("sweep %s: %w", key, err)
		}
		if referenced {
			return nil
		}
		if err := s.store.remove(ctx, key); err != nil {
			return err
		}
		removed = true
		return nil
	})
	return removed, settled, err
}
