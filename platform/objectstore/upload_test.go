package objectstore_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/s3test"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
)

// bundle is a store with a table of things that name files.
type bundle struct {
	store   *objectstore.Store
	uploads *objectstore.Uploads
	pool    *postgres.Pool
	sweeper *objectstore.Sweeper
}

func setup(t *testing.T) *bundle {
	t.Helper()
	pool := pgtest.Open(t, "objectstore", fstest.MapFS{"00001_things.sql": {Data: []byte(
		"-- +goose Up\ncreate table things (id bigint generated always as identity primary key, key text not null);\n",
	)}})
	store := s3test.Open(t)
	named := func(ctx context.Context, tx pgx.Tx, key string) (named bool, err error) {
		err = tx.QueryRow(ctx, "select exists (select from things where key = $1)", key).Scan(&named)
		return named, err
	}
	return &bundle{store, objectstore.NewUploads(store, pool), pool, objectstore.NewSweeper(store, pool, named)}
}

func (b *bundle) upload(t *testing.T, data string) storedfile.Upload {
	t.Helper()
	u, err := b.uploads.Put(t.Context(), objectstore.Key("things", []byte(data), ".txt"), "text/plain", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// name makes a row that names the upload's key.
func (b *bundle) name(ctx context.Context, u storedfile.Upload) error {
	return postgres.InTx(ctx, b.pool, func(tx pgx.Tx) error {
		if err := objectstore.Attach(ctx, tx, u); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "insert into things (key) values ($1)", u.Key)
		return err
	})
}

func (b *bundle) sweep(t *testing.T) int {
	t.Helper()
	removed, err := b.sweeper.Sweep(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return removed
}

// content returns what is stored under key, or "" when nothing is.
func (b *bundle) content(t *testing.T, key string) string {
	t.Helper()
	object, err := b.store.Open(t.Context(), key)
	if errors.Is(err, storedfile.ErrUnknown) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	data, err := io.ReadAll(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (b *bundle) pending(t *testing.T) (n int) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), "select count(*) from pending_uploads").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSweeper_Sweep_attached_and_unattached(t *testing.T) {
	t.Parallel()
	b := setup(t)
	attached, lost := b.upload(t, "attached"), b.upload(t, "lost")
	b.upload(t, "attached") // of another player, half way
	if err := b.name(t.Context(), attached); err != nil {
		t.Fatal(err)
	}
	if got := b.sweep(t); got != 1 {
		t.Errorf("the sweeper removed %d objects, want 1", got)
	}
	if got := b.content(t, attached.Key); got != "attached" {
		t.Errorf("the attached file holds %q", got)
	}
	if got := b.content(t, lost.Key); got != "" {
		t.Errorf("the unattached file still holds %q", got)
	}
	if err := b.name(t.Context(), lost); !errors.Is(err, objectstore.ErrUploadExpired) {
		t.Errorf("an attachment after the sweep: %v, want ErrUploadExpired", err)
	}
	if got := b.pending(t); got != 0 {
		t.Errorf("%d uploads are still pending", got)
	}
}

func TestRelease(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.upload(t, "old avatar")
	if err := b.name(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	err := postgres.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "delete from things"); err != nil {
			return err
		}
		return objectstore.Release(t.Context(), tx, u.Key)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.sweep(t); got != 1 || b.content(t, u.Key) != "" {
		t.Errorf("the sweeper removed %d objects, want the released one", got)
	}
}

// Uploads, attachments and sweeps of the same bytes race; whatever was attached is there in the end.
func TestSweeper_Sweep_concurrent_attachments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				key := objectstore.Key("things", []byte("contested"), ".txt")
				u, err := b.uploads.Put(t.Context(), key, "text/plain", []byte("contested"))
				if err != nil {
					t.Error(err)
					return
				}
				if err := b.name(t.Context(), u); err != nil && !errors.Is(err, objectstore.ErrUploadExpired) {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range 10 {
				if _, err := b.sweeper.Sweep(t.Context(), 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var named bool
	if err := b.pool.QueryRow(t.Context(), "select exists (select from things)").Scan(&named); err != nil {
		t.Fatal(err)
	}
	if got := b.content(t, objectstore.Key("things", []byte("contested"), ".txt")); named && got != "contested" {
		t.Errorf("a row names the file, but it holds %q", got)
	}
}

func TestStore_GetFrom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.upload(t, "0123456789")
	if _, err := b.store.GetFrom(t.Context(), b.store.Bucket(), u.Key, 9); err == nil {
		t.Error("10 bytes were read within a limit of 9")
	}
	if data, err := b.store.GetFrom(t.Context(), b.store.Bucket(), u.Key, 10); err != nil ||
		string(data) != "0123456789" {
		t.Errorf("got %q, %v", data, err)
	}
	if _, err := b.store.GetFrom(t.Context(), b.store.Bucket(), "things/none", 10); !errors.Is(err,
		objectstore.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	if _, err := b.store.GetFrom(t.Context(), "no-such-bucket", "things/none", 10); err == nil ||
		errors.Is(err, objectstore.ErrNotFound) {
		t.Errorf("of a bucket that is not there: %v, want another error than ErrNotFound", err)
	}
}
