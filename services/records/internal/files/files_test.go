package files_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/s3test"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/files"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	store := s3test.Open(t)
	replays := files.New(store, pool)
	named, unnamed := []byte("a record that is accepted"), []byte("a record that was refused at the end")
	keep := func(file []byte) storedfile.Upload {
		upload, err := replays.Put(t.Context(), objectstore.Hash(file), file)
		require.NoError(t, err)
		if hash := record.ReplayHash(upload.Key); hash != objectstore.Hash(file) {
			t.Errorf("the hash in %s is %s", upload.Key, hash)
		}
		return upload
	}
	content := func(file []byte) string {
		found, err := replays.Open(t.Context(), objectstore.Hash(file))
		if errors.Is(err, record.ErrRecordUnknown) {
			return ""
		}
		require.NoError(t, err)
		defer found.Close()
		data, err := io.ReadAll(found)
		require.NoError(t, err)
		return string(data)
	}
	key := keep(named).Key
	keep(named) // by a concurrent duplicate
	keep(unnamed)
	if got := content(named); got != string(named) {
		t.Errorf("opened %q", got)
	}
	if data, err := replays.Fetch(t.Context(), store.Bucket(), key, 100); err != nil || string(data) != string(named) {
		t.Errorf("fetched %q, %v", data, err)
	}
	if _, err := replays.Fetch(t.Context(), store.Bucket(), key, 5); err == nil {
		t.Error("more was fetched than allowed")
	}

	// The sweeper removes what no record uses.
	sweeper := objectstore.NewSweeper(store, pool, func(_ context.Context, _ pgx.Tx, key string) (bool, error) {
		return record.ReplayHash(key) == objectstore.Hash(named), nil
	})
	_, err := sweeper.Sweep(t.Context(), 0)
	require.NoError(t, err)
	if content(named) == "" || content(unnamed) != "" {
		t.Errorf("after the sweep there are %q and %q", content(named), content(unnamed))
	}
	for _, key := range []string{"replays/x", "maps/x.lbReplay", ""} {
		if hash := record.ReplayHash(key); hash != "" {
			t.Errorf("%q has the hash %q", key, hash)
		}
	}
}
