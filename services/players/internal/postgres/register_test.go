package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestStore_Register_and_Moderate_store_everything(t *testing.T) {
	t.Parallel()
	s := setup(t)
	login := registration("Zéro", 12)
	login.Login.Skin, login.SkinColor = []byte(`{"bc":255}`), "#0000ff"
	stored, err := s.Register(t.Context(), login)
	require.NoError(t, err)
	if stored.ID != login.NewID || stored.Version != 1 || stored.Name != "Zéro" || !stored.CreatedAt.Equal(login.At) {
		t.Errorf("stored %+v", stored)
	}
	until := time.Date(2099, 1, 31, 0, 0, 0, 0, time.UTC)
	for i, change := range []player.Moderation{
		{Action: access.GrantRole, Role: "admin"}, {Action: access.GrantRole, Role: "map maker"},
		{Action: access.BanPlayer, Until: until, By: access.Attribution{
			Actor: access.Operator("root"), Reason: "edited replays", PublicReason: access.Edited, DecisionID: "d1",
		}},
	} {
		change.PlayerID, change.At = stored.ID, login.At.Add(time.Duration(i+1)*time.Minute)
		stored, err = s.Moderate(t.Context(), change)
		require.NoError(t, err)
	}
	want := player.Player{
		ID: login.NewID, Version: 4, Name: "Zéro", FormerNames: []string{}, Level: 12, Skin: []byte(`{"bc":255}`),
		SkinColor: "#0000ff", Roles: []string{"admin", "map maker"}, Registered: true, Banned: true,
		Ban:       player.Ban{Reason: "edited replays", PublicReason: access.Edited, Until: until, DecisionID: "d1"},
		CreatedAt: login.At, UpdatedAt: login.At.Add(2 * time.Minute), // the profile shows no ban
	}
	assert.Equal(t, "stored", want, stored)
	byID, err := s.Get(t.Context(), stored.ID)
	require.NoError(t, err)
	assert.Equal(t, "found by id", stored, byID)
	byName, err := s.GetByName(t.Context(), " ZE\u0301RO ")
	require.NoError(t, err)
	assert.Equal(t, "found by name", stored, byName)
	if p, err := s.GetByName(t.Context(), "zero"); !errors.Is(err, player.ErrUnknown) {
		t.Errorf("without its accent it is another name, but found %+v, %v", p, err)
	}
}

// A login that is refused leaves no player of the name.
func TestStore_Register_refused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	register(t, s, "old", 0)
	kept := register(t, s, "new", 0)
	_, err := merge(t.Context(), s, "old", "new")
	require.NoError(t, err)
	_, err = playertest.Operator{Store: s}.Ban(t.Context(), "new", "tools")
	require.NoError(t, err)
	before := s.Left()
	if _, err := s.Register(t.Context(), registration("old", 3)); !errors.Is(err, player.ErrBanned) {
		t.Errorf("returned %v", err)
	}
	if p, err := s.GetByName(t.Context(), "old"); err != nil || p.ID != kept.ID {
		t.Errorf("the name is that of %+v, %v", p, err)
	}
	if n := pgtest.Value[int](t, s.Pool, `select count(*) from players`); n != 2 {
		t.Errorf("there are %d players, want 2", n)
	}
	wantLeft(t, before, s.Left())
}

func TestStore_Register_by_16_at_once(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const times = 16
	ids := make([]string, times)
	atOnce(t, times, func(ctx context.Context, i int) error {
		name := "CloudStep"
		if i%2 == 0 {
			name = strings.ToUpper(name)
		}
		p, err := s.Register(ctx, player.Registration{Name: name, NewID: event.NewID(), At: time.Now()})
		ids[i] = p.ID
		return err
	})
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("several players were made: %q", ids)
		}
	}
	if states := s.Left().States; len(states) != 1 {
		t.Errorf("%d states were published, want 1", len(states))
	}
}
