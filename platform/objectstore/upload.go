package objectstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
)

// ErrStorageUnavailable says that the file could not be stored now.
var ErrStorageUnavailable = problem.Unavailable("storage_unavailable",
	"The file cannot be stored at the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)

// ErrUploadExpired says that the Sweeper removed the upload before it was claimed.
var ErrUploadExpired = problem.Unavailable("upload_expired",
	"The upload took too long. Please try again.").WithRetryAfter(time.Second)

// Upload is a stored file that no row names yet. Domains pass it from the storage
// adapter to the store, whose transaction claims it: a type that cannot be claimed
// does not compile.
type Upload interface {
	// Key is where the file lies in the bucket.
	Key() string
	// Claim settles the upload in the transaction of the row that names the key.
	// It returns ErrUploadExpired where the Sweeper has removed the file.
	Claim(ctx context.Context, tx pgx.Tx) error
}

// Uploads stores files, each of which has a row in pending_uploads until it is claimed.
type Uploads struct {
	store *Store
	pool  *postgres.Pool
}

// NewUploads returns the uploads to store, whose pending rows are in the database of pool.
func NewUploads(store *Store, pool *postgres.Pool) *Uploads { return &Uploads{store, pool} }

// Put stores data under key, after it has inserted the row of the pending upload. Where it
// fails, the Sweeper removes what may have been stored. It returns ErrStorageUnavailable.
func (u *Uploads) Put(ctx context.Context, key, contentType string, data []byte) (Upload, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("objectstore: id of an upload: %w", err)
	}
	// A batch outside a transaction is one transaction.
	batch := &pgx.Batch{}
	batch.Queue(commitAsyncSQL)
	batch.Queue(lockKeySQL, key)
	batch.Queue(insertPendingSQL, id, key)
	if err := u.pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("objectstore: pending upload of %s: %w", key, err)
	}
	if err := u.store.put(ctx, key, contentType, data); err != nil {
		return nil, ErrStorageUnavailable.Wrap(err)
	}
	return upload{id: id, key: key}, nil
}

const (
	// commitAsyncSQL commits the transaction without waiting for the disk. If the database
	// server crashes before it has written the row, at most an unclaimed file remains:
	// the transaction that claims the row waits for the disk, also for this row.
	commitAsyncSQL = "select set_config('synchronous_commit', 'off', true)"
	// lockKeySQL makes the Sweeper and uploads of the same key wait for each other
	// until the end of the transaction.
	lockKeySQL       = "select pg_advisory_xact_lock(hashtextextended($1, 0))"
	insertPendingSQL = "insert into pending_uploads (id, key) values ($1, $2)"
	deletePendingSQL = "delete from pending_uploads where id = $1"
)

// upload is the row of a pending upload. It implements Upload.
type upload struct {
	id  uuid.UUID
	key string
}

func (u upload) Key() string { return u.key }

func (u upload) Claim(ctx context.Context, tx pgx.Tx) error {
	tag, err := tx.Exec(ctx, deletePendingSQL, u.id)
	if err != nil {
		return fmt.Errorf("objectstore: claim %s: %w", u.key, err)
	}
	if tag.RowsAffected() == 0 {
		return ErrUploadExpired
	}
	return nil
}

// Release allows the Sweeper to remove the object under key, unless another row names it.
// The transaction is the one in which a row stops naming the key.
func Release(ctx context.Context, tx pgx.Tx, key string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("objectstore: id of a release: %w", err)
	}
	if _, err := tx.Exec(ctx, insertPendingSQL, id, key); err != nil {
		return fmt.Errorf("objectstore: release %s: %w", key, err)
	}
	return nil
}
