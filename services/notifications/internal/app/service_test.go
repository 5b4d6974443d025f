package app_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

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
