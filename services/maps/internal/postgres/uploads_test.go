package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/objectstore"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

// countedUpload counts how often it is claimed.
type countedUpload struct {
	key    string
	claims int
	err    error
}

func (u *countedUpload) Key() string { return u.key }

func (u *countedUpload) Claim(context.Context, pgx.Tx) error {
	u.claims++
	return u.err
}

func TestStore_Submit_claimsUploads(t *testing.T) {
	t.Parallel()
	t.Run("each of the files once", func(t *testing.T) {
		t.Parallel()
		store, _ := setup(t)
		candidate := parkourmaptest.NewMap(1)
		files := []*countedUpload{{key: "replay"}, {key: "full"}, {key: "thumbnail"}}
		candidate.Uploads = []objectstore.Upload{files[0], files[1], files[2]}
		if _, err := store.Submit(t.Context(), candidate); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if file.claims != 1 {
				t.Errorf("%s was claimed %d times, want once", file.key, file.claims)
			}
		}
	})
	t.Run("no map without its files", func(t *testing.T) {
		t.Parallel()
		store, pool := setup(t)
		candidate := parkourmaptest.NewMap(1)
		candidate.Uploads = []objectstore.Upload{&countedUpload{}, &countedUpload{err: objectstore.ErrUploadExpired}}
		if _, err := store.Submit(t.Context(), candidate); !errors.Is(err, objectstore.ErrUploadExpired) {
			t.Errorf("Submit returned %v, want ErrUploadExpired", err)
		}
		if n := pgtest.Value[int](t, pool, "select count(*) from maps"); n != 0 {
			t.Errorf("%d maps were created", n)
		}
		if diff := cmp.Diff(outboxContents{}, left(t, pool)); diff != "" {
			t.Errorf("outbox (-want +got):\n%s", diff)
		}
		if _, err := store.Entry(t.Context(), candidate.Map.ID); !errors.Is(err, parkourmap.ErrMapUnknown) {
			t.Errorf("Entry returned %v, want ErrMapUnknown", err)
		}
	})
}
