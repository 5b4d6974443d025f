package objectstore

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/storedfile"
)

// ErrStorageUnavailable is returned where the file could not be stored.
var ErrStorageUnavailable = problem.Unavailable("storage_unavailable",
	"The file cannot be stored at the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)

// ErrUploadExpired is returned where the Sweeper removed the upload before it was attached.
var ErrUploadExpired = problem.Unavailable("upload_expired",
	"The upload took too long. Please try again.").WithRetryAfter(time.Second)

// Uploads stores files, each of which has a row in pending_uploads until it is attached.
type Uploads struct {
	store *Store
	pool  *postgres.Pool
}

// NewUploads returns the uploads to store, whose pending rows are in the database of pool.
func NewUploads(store *Store, pool *postgres.Pool) *Uploads { return &Uploads{store, pool} }

// Put stores data under key, after it has inserted the row of the pending upload. Where it
// fails, the Sweeper removes what may have been stored. It returns ErrStorageUnavailable.
func (u *Uploads) Put(ctx context.Context, key, contentType string, data []byte) (storedfile.Upload, error) {
	upload, err := u.begin(ctx, key)
	if err != nil {
		return storedfile.Upload{}, err
	}
	if err := u.store.put(ctx, key, contentType, data); err != nil {
		return storedfile.Upload{}, ErrStorageUnavailable.Wrap(err)
	}
	return upload, nil
}

// PutStream is Put of what r returns until its end, of any length. The object exists when all of it is stored.
func (u *Uploads) PutStream(ctx context.Context, key, contentType string, r io.Reader) (storedfile.Upload, error) {
	upload, err := u.begin(ctx, key)
	if err != nil {
		return storedfile.Upload{}, err
	}
	return upload, u.store.putStream(ctx, key, contentType, r)
}

// begin inserts the row of a pending upload.
func (u *Uploads) begin(ctx context.Context, key string) (storedfile.Upload, error) {
	id := uuid.Must(uuid.NewV7())
	// A batch outside a transaction is one transaction.
	batch := &pgx.Batch{}
	batch.Queue(lockKeyAsyncSQL, key)
	batch.Queue(insertPendingSQL, id, key)
	if err := u.pool.SendBatch(ctx, batch).Close(); err != nil {
		return storedfile.Upload{}, fmt.Errorf("objectstore: pending upload of %s: %w", key, err)
	}
	return storedfile.Upload{ID: id, Key: key}, nil
}

const (
	// lockKeySQL makes the Sweeper and uploads of the same key wait for each other until the end of the transaction.
	lockKeySQL = "select pg_advisory_xact_lock(hashtextextended($1, 0))"
	// lockKeyAsyncSQL also commits the transaction without waiting for the disk. If the database
	// server crashes before it has written the row, at most a file remains that no row
	// names: the transaction that attaches it waits for the disk, also for this row.
	lockKeyAsyncSQL  = lockKeySQL + ", set_config('synchronous_commit', 'off', true)"
	insertPendingSQL = "insert into pending_uploads (id, key) values ($1, $2)"
	deletePendingSQL = "delete from pending_uploads where id = $1"
)

// Attach settles uploads in the transaction of the rows that name their keys.
// It returns ErrUploadExpired where the Sweeper has removed a file.
func Attach(ctx context.Context, tx pgx.Tx, uploads ...storedfile.Upload) error {
	batch := &pgx.Batch{}
	QueueAttach(batch, uploads...)
	return postgres.Wrap(tx.SendBatch(ctx, batch).Close(), "objectstore: attach")
}

// QueueAttach adds what Attach does to a batch, whose error is Attach's.
func QueueAttach(batch *pgx.Batch, uploads ...storedfile.Upload) {
	for _, u := range uploads {
		batch.Queue(deletePendingSQL, u.ID).Exec(func(deleted pgconn.CommandTag) error {
			if deleted.RowsAffected() == 0 {
				return ErrUploadExpired
			}
			return nil
		})
	}
}

// Release allows the Sweeper to remove the objects under keys, unless other rows name them.
// The transaction is the one in which a row stops naming the keys.
func Release(ctx context.Context, tx pgx.Tx, keys ...string) error {
	for _, key := range keys {
		if _, err := tx.Exec(ctx, insertPendingSQL, uuid.Must(uuid.NewV7()), key); err != nil {
			return fmt.Errorf("objectstore: release %s: %w", key, err)
		}
	}
	return nil
}

const (
	// UploadGrace is far longer than any upload takes from its pending row to its row.
	UploadGrace = time.Hour
	sweepBatch  = 100
)

// IsReferenced reports, in one statement on tx, whether a row names the key.
type IsReferenced func(ctx context.Context, tx pgx.Tx, key string) (bool, error)

// Sweeper removes the objects that no row names: those of uploads that were not attached, and
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
	// resolvePendingSQL leaves a row to the transaction that has locked it.
	resolvePendingSQL = `
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
		resolved := 0
		for _, key := range keys {
			isRemoved, n, err := s.resolvePending(ctx, key, olderThan)
			if err != nil {
				return removed, err
			}
			if isRemoved {
				removed++
			}
			resolved += n
		}
		// If nothing was resolved, transactions that attach files hold all rows. The next sweep resolves the others.
		if len(keys) < sweepBatch || resolved == 0 {
			return removed, nil
		}
	}
}

// resolvePending deletes the old pending rows of key, and removes the object unless a row or a newer upload needs it.
// It returns how many rows it has deleted. The lock keeps an upload of the same key from beginning meanwhile.
func (s *Sweeper) resolvePending(
	ctx context.Context, key string, olderThan time.Duration,
) (removed bool, resolved int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockKeySQL, key); err != nil {
			return fmt.Errorf("sweep: lock %s: %w", key, err)
		}
		tag, err := tx.Exec(ctx, resolvePendingSQL, pgx.NamedArgs{"key": key, "age": olderThan.Seconds()})
		if err != nil {
			return fmt.Errorf("sweep %s: %w", key, err)
		}
		resolved = int(tag.RowsAffected())
		var pending bool
		if err := tx.QueryRow(ctx, isPendingSQL, key).Scan(&pending); err != nil {
			return fmt.Errorf("sweep %s: %w", key, err)
		}
		if pending || resolved == 0 {
			return nil
		}
		// This is checked after the pending rows: a transaction in between has committed its row by now.
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
	return removed, resolved, err
}
