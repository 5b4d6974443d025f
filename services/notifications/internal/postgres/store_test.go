package postgres_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/notification"
)

func TestStore_ApplyPlayer(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if _, err := f.Player(t.Context(), id(6)); !errors.Is(err, notification.ErrPlayerUnknown) {
		t.Errorf("an unknown player: %v", err)
	}
	full := notification.Player{
		ID: anna, Version: 2, Name: "Anna", SkinImageURL: "/a.png", SkinColor: "#ff0000", Roles: []string{"admin"},
		Registered: true, Banned: true, Ban: &event.Ban{},
	}
	for _, p := range []notification.Player{
		full, {ID: anna, Version: 2, Name: "same"}, {ID: anna, Version: 1, Name: "old"},
	} {
		f.apply(t, p)
		got, err := f.Player(t.Context(), anna)
		require.NoError(t, err)
		if diff := cmp.Diff(full, got); diff != "" {
			t.Errorf("player after version %d (-want +got):\n%s", p.Version, diff)
		}
	}
	f.apply(t, notification.Player{ID: anna, Version: 3, Removed: true, MergedInto: ben})
	got, err := f.Player(t.Context(), anna)
	require.NoError(t, err)
	want := notification.Player{ID: anna, Version: 3, Removed: true, MergedInto: ben}
	require.Equal(t, "tombstone", want, got)
}

func TestStore_ApplyMap(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if _, err := f.Map(t.Context(), forest); !errors.Is(err, notification.ErrMapUnknown) {
		t.Errorf("an unknown map: %v", err)
	}
	version2 := notification.Map{
		ID: forest, Version: 2, Name: "Forest", GameMapID: 7, AuthorID: anna, Superseded: true,
	}
	removed := version2
	removed.Version, removed.Removed = 3, true
	restored := notification.Map{ID: forest, Version: 4, Name: "Forest 2", GameMapID: 7}
	unknown := notification.Map{ID: tower, Version: 1, Removed: true}
	for _, step := range []struct {
		name        string
		apply, want notification.Map
	}{
		{"stored", version2, version2},
		{"the same version", notification.Map{ID: forest, Version: 2, Name: "same"}, version2},
		{"an older version", notification.Map{ID: forest, Version: 1, Name: "old"}, version2},
		{"an older tombstone", notification.Map{ID: forest, Version: 1, Removed: true}, version2},
		{"a tombstone", notification.Map{ID: forest, Version: 3, Removed: true}, removed},
		{"an older version after the tombstone", version2, removed},
		{"restored", restored, restored},
		{"a tombstone of an unknown map", unknown, unknown},
	} {
		f.applyMap(t, step.apply)
		got, err := f.Map(t.Context(), step.apply.ID)
		require.NoError(t, err)
		assert.Equal(t, step.name, step.want, got)
	}
}
