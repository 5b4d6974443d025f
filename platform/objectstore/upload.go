package objectstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/platform/problem"
)

// ErrStorageAway says that the file could not be stored now.
var ErrStorageAway = problem.Unavailable("storage_unavailable", "The file cannot be stored at the moment. Please try again shortly.").After(5 * time.Second)

// ErrUploadExpired says that the upload was swept away before it was claimed.
var ErrUploadExpired = problem.Unavailable("upload_expired", "The upload took too long. Please try again.").After(time.Second)

// Upload is a stored file that no row names yet.
type Upload struct {
	Key string
	id  uuid.UUID
}

// Upload notes a pending upload, then stores data under key. Where it fails,
// the Sweeper removes what may have been stored. Returns ErrStorageAway.
func (s *Store) Upload(ctx context.Context, pool *pgxpool.Pool, key, contentType string, data []byte) (Upload, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Upload{}, fmt.Errorf("objectstore: %w", err)
	}
	// Without a transaction around it, a batch is one.
	batch := &pgx.Batch{}
	batch.Queue(lockKeySQL, key)
	batch.Queue(notePendingSQL, id, key)
	if err := pool.SendBatch(ctx, batch).Close(); err != nil {
		return Upload{}, fmt.Errorf("objectstore: note upload of %s: %w", key, err)
	}
	if err := s.put(ctx, key, contentType, data); err != nil {
		return Upload{}, ErrStorageAway.Because(err)
	}
	return Upload{Key: key, id: id}, nil
}

// Claim settles the upload in the transaction of the row that names its key.
// Returns ErrUploadExpired.
func (u Upload) Claim(ctx context.Context, tx pgx.Tx) error {
	batch := &pgx.Batch{}
	u.QueueClaim(batch)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("objectstore: claim %s: %w", u.Key, err)
	}
	return nil
}

// QueueClaim is Claim as a part of a batch, which fails with ErrUploadExpired.
func (u Upload) QueueClaim(batch *pgx.Batch) {
	batch.Queue("delete from pending_uploads where id = $1", u.id).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return ErrUploadExpired
		}
		return nil
	})
}

// Release says, in the transaction in which a row stops naming key, that the
// Sweeper may remove the object unless another row names it.
func Release(ctx context.Context, tx pgx.Tx, key string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("objectstore: %w", err)
	}
	return notePending(ctx, tx, id, key)
}

const notePendingSQL = "insert into pending_uploads (id, key) values ($1, $2)"

func notePending(ctx context.Context, tx pgx.Tx, id uuid.UUID, key string) error {
	if _, err := tx.Exec(ctx, notePendingSQL, id, key); err != nil {
		return fmt.Errorf("objectstore: note upload of %s: %w", key, err)
	}
	return nil
}

// lockKeySQL makes the Sweeper and an upload of the same key wait for each other,
// until the end of the transaction.
const lockKeySQL = "select pg_advisory_xact_lock(hashtextextended($1, 0))"

func lockKey(ctx context.Context, tx pgx.Tx, key string) error {
	if _, err := tx.Exec(ctx, lockKeySQL, key); err != nil {
		return fmt.Errorf("objectstore: lock %s: %w", key, err)
	}
	return nil
}
