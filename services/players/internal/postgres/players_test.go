package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
	"capzone.dev/services/players/internal/postgres"
)

func TestStore_Change_of_the_avatar(t *testing.T) {
	t.Parallel()
	pool := playertest.Open(t).Pool
	players := postgres.NewStore(pool)
	ensurer := player.Registrar{Players: players, Now: time.Now, NewID: event.NewID}
	p, err := ensurer.Ensure(t.Context(), "a")
	require.NoError(t, err)
	setAvatar := func(upload storedfile.Upload) error {
		_, err := players.Change(t.Context(), p.ID, time.Now(), func(l player.Locked) (player.Change, error) {
			p := l.Player
			p.Avatar = upload.Key
			return player.Change{Player: p, Avatar: upload}, nil
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

func TestStore_HasAdmin(t *testing.T) {
	t.Parallel()
	players := playertest.Open(t)
	registrar := player.Registrar{Players: players, Now: time.Now, NewID: event.NewID}
	_, err := registrar.Register(t.Context(), player.Login{Name: "a"})
	require.NoError(t, err)
	operator := playertest.Operator{Store: players}
	for _, step := range []struct {
		do   func(context.Context, string, string) (player.Player, error)
		role string
		want bool
	}{
		{operator.Grant, "artist", false},
		{operator.Grant, "admin", true},
		{operator.Revoke, "artist", true},
		{operator.Revoke, "admin", false},
	} {
		_, err := step.do(t.Context(), "a", step.role)
		require.NoError(t, err)
		if has, err := players.HasAdmin(t.Context()); err != nil || has != step.want {
			t.Errorf("after %s there is an admin: %v (%v), want %v", step.role, has, err, step.want)
		}
	}
}
