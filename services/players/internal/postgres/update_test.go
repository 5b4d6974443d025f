package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestStore_Update_of_the_avatar(t *testing.T) {
	t.Parallel()
	players := setup(t)
	pool := players.Pool
	p := register(t, players, "a", 0)
	setAvatar := func(upload storedfile.Upload) error {
		_, err := players.Update(t.Context(), player.ProfileUpdate{
			PlayerID: p.ID, By: by(p), At: time.Now(), Update: player.Update{SkinImage: []byte("an image")},
			Avatar: upload,
		})
		return err
	}
	for _, key := range []string{"skins/1.webp", "skins/2.webp"} {
		if err := setAvatar(pgtest.PendingUpload(t, pool, key)); err != nil {
			t.Error(err)
		}
	}
	type note struct{ Key string }
	if diff := cmp.Diff([]note{{"skins/1.webp"}}, pgtest.Rows[note](t, pool,
		`select key from pending_uploads`)); diff != "" {
		t.Errorf("left to the sweeper (-want +got):\n%s", diff)
	}
	for key, want := range map[string]bool{"skins/1.webp": false, "skins/2.webp": true} {
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
			named, err := players.IsReferenced(t.Context(), tx, key)
			if named != want {
				t.Errorf("a player names %s: %v, want %v", key, named, want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	removed := storedfile.Upload{ID: uuid.Must(uuid.NewV7()), Key: "skins/3.webp"} // by the sweeper
	if err := setAvatar(removed); !errors.Is(err, objectstore.ErrUploadExpired) {
		t.Errorf("an upload that cannot be claimed returned %v", err)
	}
	if got, err := players.Get(t.Context(), p.ID); err != nil || got.Avatar != "skins/2.webp" {
		t.Errorf("the avatar is %q (%v), want %q", got.Avatar, err, "skins/2.webp")
	}
}

// An update that changes nothing has no version, no event and no entry of the audit log.
func TestStore_Update_that_changes_nothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	register(t, s, "admin", 0)
	admin, err := playertest.Operator{Store: s}.Grant(t.Context(), "admin", access.Admin)
	require.NoError(t, err)
	p, none := register(t, s, "a", 0), `[]`
	before := s.Left()
	again, err := s.Update(t.Context(), player.ProfileUpdate{
		PlayerID: p.ID, ActorID: admin.ID, By: by(admin), At: time.Now(), Update: player.Update{Roles: &none},
	})
	require.NoError(t, err)
	assert.Equal(t, "player", p, again)
	wantLeft(t, before, s.Left())
}
