package objectstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/platform/postgres"
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
	err = postgres.InTx(ctx, pool, func(tx pgx.Tx) error {
		if err := lockKey(ctx, tx, key); err != nil {
			return err
		}
		return notePending(ctx, tx, id, key)
	})
	if err != nil {
		return Upload{}, err
	}
	if err := s.put(ctx, key, contentType, data); err != nil {
		return Upload{}, ErrStorageAway.Because(err)
	}
	return Upload{Key: key, id: id}, nil
}

// Claim settles the upload in the transaction of the row that names its key.
// Returns ErrUploadExpired.
func (u Upload) Claim(ctx context.Context, tx pgx.Tx) error {
	tag, err := tx.Exec(ctx, "delete from pending_uploads where id = $1", u.id)
	if err != nil {
		return fmt.Errorf("objectstore: claim %s: %w", u.Key, err)
	}
	if tag.RowsAffected() == 0 {
		return ErrUploadExpired
	}
	return nil
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

func notePending(ctx context.Context, tx pgx.Tx, id uuid.UUID, key string) error {
	if _, err := tx.Exec(ctx, "insert into pending_uploads (id, key) values ($1, $2)", id, key); err != nil {
		return fmt.Errorf("objectstore: note upload of %s: %w", key, err)
	}
	return nil
}

// lockKey makes the Sweeper and an upload of the same key wait for each other,
// until the end of tx.
func lockKey(ctx context.Context, tx pgx.Tx, key string) error {
	if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtextextended($1, 0))", key); err != nil {
		return fmt.Errorf("objectstore: lock %s: %w", key, err)
	}
	return nil
}
