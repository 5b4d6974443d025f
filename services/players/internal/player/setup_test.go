package player_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// setupUpdate returns an updater, its store and the ids of its players by name.
func setupUpdate(t *testing.T) (*player.Updater, *playertest.Store, map[string]string) {
	t.Helper()
	store := playertest.Open(t)
	ids := map[string]string{"ghost": "00000000-0000-7000-8000-000000000000"}
	for _, name := range []string{"runner", "stranger", "artist", "moderator", "admin", "banned"} {
		ids[name] = register(t, store, player.Login{Name: name}).ID
	}
	for _, role := range []string{"artist", "moderator", "admin"} {
		_, err := operatorOf(store).Grant(t.Context(), role, role)
		require.NoError(t, err)
	}
	_, err := operatorOf(store).Ban(t.Context(), "banned", "edited replays")
	require.NoError(t, err)
	return &player.Updater{Players: store, Avatars: &avatars{t, store.Pool}, Now: time.Now}, store, ids
}

var errNoImage = errors.New("not an image")

// avatars accepts only "an image".
type avatars struct {
	t    *testing.T
	pool *postgres.Pool
}

func (a *avatars) Put(_ context.Context, image []byte) (storedfile.Upload, error) {
	if string(image) != "an image" {
		return storedfile.Upload{}, errNoImage
	}
	return pgtest.PendingUpload(a.t, a.pool, "skins/image.webp"), nil
}

func operatorOf(store *playertest.Store) playertest.Operator {
	return playertest.Operator{Store: store}
}

// written is the fact of a row of the audit log.
func written(
	t *testing.T, by access.Attribution, action access.Action, target string, before, after any,
) event.AuditWritten {
	t.Helper()
	values := func(v any) json.RawMessage {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return text
	}
	return event.AuditWritten{
		Attribution: by, Action: action, TargetID: target, Before: values(before), After: values(after),
	}
}

func byOperator(reason access.Reason) access.Attribution {
	return access.Attribution{Actor: access.Operator(playertest.Account), Reason: reason}
}

// moderation returns a change of the player with an id.
func moderation(action access.Action, id string, by access.Attribution) player.Moderation {
	return player.Moderation{Action: action, PlayerID: id, By: by}
}

// ban bans a player at noon until a time, by a decision, and returns the ban.
func ban(t *testing.T, store *playertest.Store, id string, until time.Time) player.Player {
	t.Helper()
	by := byOperator("edited replays")
	by.PublicReason, by.DecisionID = access.Edited, "d1"
	moderator := player.Moderator{Players: store, Now: func() time.Time { return noon }}
	change := moderation(access.BanPlayer, id, by)
	change.Until = until
	p, err := moderator.Moderate(t.Context(), change)
	require.NoError(t, err)
	return p
}

// registerWith registers a player with a role.
func registerWith(t *testing.T, store *playertest.Store, name, role string) player.Player {
	t.Helper()
	register(t, store, player.Login{Name: name})
	p, err := operatorOf(store).Grant(t.Context(), name, role)
	require.NoError(t, err)
	return p
}

// banBy bans a player as a moderator does.
func banBy(t *testing.T, store *playertest.Store, by, target player.Player) error {
	t.Helper()
	moderator := player.Moderator{Players: store, Now: time.Now}
	_, err := moderator.Moderate(t.Context(),
		moderation(access.BanPlayer, target.ID, access.Attribution{Actor: caller(by), Reason: "revenge"}))
	return err
}

func caller(p player.Player) access.Actor { return access.Player(p.ID, p.Name, p.Roles) }

func by(actor access.Actor) access.Attribution { return access.Attribution{Actor: actor} }

func register(t *testing.T, store *playertest.Store, login player.Login) player.Player {
	t.Helper()
	registrar := player.Registrar{Players: store, Now: time.Now, NewID: event.NewID}
	p, err := registrar.Register(t.Context(), login)
	require.NoError(t, err)
	return p
}

func ensure(t *testing.T, store *playertest.Store, name string) player.Player {
	t.Helper()
	ensurer := player.Registrar{Players: store, Now: time.Now, NewID: event.NewID}
	p, err := ensurer.Ensure(t.Context(), name)
	require.NoError(t, err)
	return p
}
