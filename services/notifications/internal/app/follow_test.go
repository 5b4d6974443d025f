package app_test

import (
	"net/http"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/httpapi"
)

// playerRef returns a player as lists name them.
func playerRef(p event.PlayerState) httpapi.PlayerRef {
	return httpapi.PlayerRef{UnderscoreId: p.ID, Name: p.Name, SkinColor: &p.SkinColor}
}

func mapRef(m event.MapState) *httpapi.MapRef {
	return &httpapi.MapRef{UnderscoreId: m.ID, Name: m.Name}
}

func (b *bundle) follows(by event.PlayerState) httpapi.Follows {
	b.t.Helper()
	return servicetest.Data[httpapi.Follows](b.t, b.get(by, "/follows"))
}

// isFollowing returns what the API answers of one player or map.
func (b *bundle) isFollowing(by event.PlayerState, path string) bool {
	b.t.Helper()
	return servicetest.Data[struct{ Following bool }](b.t, b.get(by, path)).Following
}

func TestAPI_follow_and_unfollow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("Bob"), b.newPlayer("joe")
	skyline, tower := b.newMap("skyline", joe), b.newMap("Tower", joe)

	paths := []string{"/follows/players/" + joe.ID, "/follows/players/" + bob.ID, "/follows/maps/" + tower.ID,
		"/follows/maps/" + skyline.ID}
	for _, path := range paths {
		if b.isFollowing(ann, path) {
			t.Errorf("%s: followed before", path)
		}
		b.put(ann, path)
		if !b.isFollowing(ann, path) || b.isFollowing(bob, path) {
			t.Errorf("%s: not followed by the caller alone", path)
		}
	}
	want := httpapi.Follows{
		Players: []httpapi.PlayerRef{playerRef(bob), playerRef(joe)},
		Maps:    []httpapi.MapRef{*mapRef(skyline), *mapRef(tower)},
	}
	require.Equal(t, "follows", want, b.follows(ann))
	for _, path := range paths {
		if a := b.do(ann, http.MethodDelete, path, nil); a.Status != http.StatusNoContent || len(a.Raw) > 0 {
			t.Errorf("DELETE %s: %d %s", path, a.Status, a.Raw)
		}
		if b.isFollowing(ann, path) {
			t.Errorf("%s: followed still", path)
		}
	}
	none := httpapi.Follows{Players: []httpapi.PlayerRef{}, Maps: []httpapi.MapRef{}}
	assert.Equal(t, "follows", none, b.follows(ann))
}
