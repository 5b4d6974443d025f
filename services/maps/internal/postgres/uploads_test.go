package postgres_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

func TestStore_Submit_claimsUploads(t *testing.T) {
	t.Parallel()
	t.Run("its files, and no others", func(t *testing.T) {
		t.Parallel()
		store, pool := setup(t)
		candidate := parkourmaptest.NewMap(1)
		for _, key := range []string{"replay", "full", "thumbnail"} {
			candidate.Uploads = append(candidate.Uploads, pgtest.PendingUpload(t, pool, key))
		}
		other := pgtest.PendingUpload(t, pool, "thumbnail")
		if _, err := store.Submit(t.Context(), candidate); err != nil {
			t.Fatal(err)
		}
		left := pgtest.Rows[struct{ ID uuid.UUID }](t, pool, "select id from pending_uploads")
		checkEqual(t, "pending uploads", []struct{ ID uuid.UUID }{{other.ID}}, left)
	})
	t.Run("no map without its files", func(t *testing.T) {
		t.Parallel()
		store, pool := setup(t)
		candidate := parkourmaptest.NewMap(1)
		candidate.Uploads = []storedfile.Upload{
			pgtest.PendingUpload(t, pool, "replay"), {ID: uuid.Must(uuid.NewV7()), Key: "removed by the sweeper"},
		}
		if _, err := store.Submit(t.Context(), candidate); !errors.Is(err, objectstore.ErrUploadExpired) {
			t.Errorf("Submit returned %v, want ErrUploadExpired", err)
		}
		if n := pgtest.Value[int](t, pool, "select count(*) from maps"); n != 0 {
			t.Errorf("%d maps were created", n)
		}
		checkEqual(t, "outbox", outboxContents{}, left(t, pool))
		if _, err := store.Entry(t.Context(), candidate.Map.ID); !errors.Is(err, parkourmap.ErrMapUnknown) {
			t.Errorf("Entry returned %v, want ErrMapUnknown", err)
		}
	})
}
