package app_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
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

func TestService_ListFollowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	eventually.WaitFor(t, "readiness", func() bool {
		return servicetest.Do(t, http.MethodGet, b.OpsURL+"/readyz", nil).Status == http.StatusOK
	})
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("joe")
	b.put(ann, "/follows/players/"+bob.ID)
	b.put(ann, "/follows/players/"+joe.ID)
	for _, tt := range []struct {
		player string
		want   []string
		code   string
	}{
		{ann.ID, sorted(bob, joe), ""},
		{bob.ID, []string{}, ""},
		{"ann", nil, "player_unknown"},
	} {
		got, err := b.listFollowed(tt.player)
		if diff := cmp.Diff(tt.want, got); diff != "" || servicetest.Refusal(err) != tt.code {
			t.Errorf("of %q: %v (-want +got):\n%s", tt.player, err, diff)
		}
	}
}

// listFollowed asks as the records service does. The service may not have subscribed yet.
func (b *bundle) listFollowed(playerID string) (followed []string, err error) {
	b.t.Helper()
	eventually.WaitFor(b.t, "an answer", func() bool {
		var answer event.FollowedPlayers
		answer, err = eventbus.Call[event.FollowedPlayers](b.t.Context(), b.NATS,
			event.ListFollowedSubject, event.ListFollowed{PlayerID: playerID})
		followed = answer.PlayerIDs
		return !errors.Is(err, eventbus.ErrUnavailable)
	})
	return followed, err
}
