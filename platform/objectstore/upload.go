package objectstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/platform/groupcommit"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
)

// ErrStorageUnavailable says that the file could not be stored now.
var ErrStorageUnavailable = problem.Unavailable("storage_unavailable", "The file cannot be stored at the moment. Please try again shortly.").After(5 * time.Second)

// ErrUploadExpired says that the upload was swept away before it was claimed.
var ErrUploadExpired = problem.Unavailable("upload_expired", "The upload took too long. Please try again.").After(time.Second)

// Upload is a stored file that no row names yet.
type Upload struct {
	Key string
	id  uuid.UUID
}

// Uploads stores files of which a database notes that they are pending.
type Uploads struct {
	store *Store
	pool  *postgres.Pool
	notes *groupcommit.Group[note, bool]
}

// note says that a key is about to be stored.
type note struct {
	id  uuid.UUID
	key string
}

// mostNotes is how many uploads are noted together.
const mostNotes = 64

// NewUploads returns the uploads to store, which are noted in the database of pool.
func NewUploads(store *Store, pool *postgres.Pool) *Uploads {
	u := &Uploads{store: store, pool: pool}
	u.notes = groupcommit.New(groupcommit.Options[note, bool]{Max: mostNotes, Do: u.noteTogether})
	return u
}

// Keep notes a pending upload, then stores data under key. Where it fails, the
// Sweeper removes what may have been stored. Returns ErrStorageUnavailable.
func (u *Uploads) Keep(ctx context.Context, key, contentType string, data []byte) (Upload, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Upload{}, fmt.Errorf("objectstore: %w", err)
	}
	noted, err := u.notes.Do(ctx, note{id, key})
	if err == nil && !noted {
		err = u.noteAlone(ctx, note{id, key})
	}
	if err != nil {
		return Upload{}, fmt.Errorf("objectstore: note upload of %s: %w", key, err)
	}
	if err := u.store.put(ctx, key, contentType, data); err != nil {
		return Upload{}, ErrStorageUnavailable.Because(err)
	}
	return Upload{Key: key, id: id}, nil
}

const (
	// lazilySQL has the transaction be committed without waiting for the disk. A note
	// that the database server loses in a crash leaves a file that nobody names, if
	// anything: whoever claims it waits for the disk, and for the note with it.
	lazilySQL = "select set_config('synchronous_commit', 'off', true)"
	// noteTogetherSQL takes the locks that are free, and leaves out the keys of which
	// the sweeper holds them. They are those of lockKeySQL.
	noteTogetherSQL = `
		with locked as materialized (
			select id, key, pg_try_advisory_xact_lock(hashtextextended(key, 0)) as free
			from unnest($1::uuid[], $2::text[]) as note (id, key)
		)
		insert into pending_uploads (id, key) select id, key from locked where free
		returning id`
)

// noteTogether tells of each whether it was noted.
func (u *Uploads) noteTogether(ctx context.Context, all []note) ([]bool, error) {
	ids, keys := make([]uuid.UUID, len(all)), make([]string, len(all))
	at := make(map[uuid.UUID]int, len(all))
	for i, n := range all {
		ids[i], keys[i], at[n.id] = n.id, n.key, i
	}
	noted := make([]bool, len(all))
	// Without a transaction around it, a batch is one.
	batch := &pgx.Batch{}
	batch.Queue(lazilySQL)
	batch.Queue(noteTogetherSQL, ids, keys).Query(func(rows pgx.Rows) error {
		var id uuid.UUID
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			noted[at[id]] = true
			return nil
		})
		return err
	})
	return noted, u.pool.SendBatch(ctx, batch).Close()
}

// noteAlone waits for the sweeper to be done with the key.
func (u *Uploads) noteAlone(ctx context.Context, n note) error {
	batch := &pgx.Batch{}
	batch.Queue(lockKeySQL, n.key)
	batch.Queue(notePendingSQL, n.id, n.key)
	return u.pool.SendBatch(ctx, batch).Close()
}

// Claim settles the upload in the transaction of the row that names its key.
// Returns ErrUploadExpired.
func (u Upload) Claim(ctx context.Context, tx pgx.Tx) error {
	batch := &pgx.Batch{}
	QueueClaim(batch, u)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("objectstore: claim %s: %w", u.Key, err)
	}
	return nil
}

// QueueClaim is Claim of several uploads as a part of a batch, which fails with
// ErrUploadExpired where one of them was swept away.
func QueueClaim(batch *pgx.Batch, uploads ...Upload) {
	ids := make([]uuid.UUID, len(uploads))
	for i, u := range uploads {
		ids[i] = u.id
	}
	batch.Queue("delete from pending_uploads where id = any($1)", ids).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() < int64(len(uploads)) {
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
