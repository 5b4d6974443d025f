package postgres_test

import (
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestStore_Submit_attaches_uploads(t *testing.T) {
	t.Parallel()
	t.Run("its files, and no others", func(t *testing.T) {
		t.Parallel()
		store, pool := setup(t)
		candidate := newMap(1)
		for _, key := range []string{"replay", "full", "thumbnail"} {
			candidate.Uploads = append(candidate.Uploads, pgtest.PendingUpload(t, pool, key))
		}
		other := pgtest.PendingUpload(t, pool, "thumbnail")
		create(t, store, candidate)
		left := pgtest.Rows[struct{ ID uuid.UUID }](t, pool, "select id from pending_uploads")
		assert.Equal(t, "pending uploads", []struct{ ID uuid.UUID }{{other.ID}}, left)
	})
	t.Run("no map without its files", func(t *testing.T) {
		t.Parallel()
		store, pool := setup(t)
		candidate := newMap(1)
		candidate.Uploads = []storedfile.Upload{
			pgtest.PendingUpload(t, pool, "replay"), {ID: uuid.Must(uuid.NewV7()), Key: "removed by the sweeper"},
		}
		checkError(t, "Submit", objectstore.ErrUploadExpired, errorOf(store.Submit(t.Context(), candidate)))
		assert.Equal(t, "maps were created", 0, pgtest.Value[int](t, pool, "select count(*) from maps"))
		assert.Equal(t, "outbox", outboxContents{}, left(t, pool))
		checkError(t, "Entry", parkourmap.ErrMapUnknown, errorOf(store.Entry(t.Context(), candidate.Map.ID)))
	})
}
