package app_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/httpapi"
	"capzone.dev/services/players/internal/player"
)

func TestServer(t *testing.T) {
	b := setup(t)
	placeholder, err := ask[event.PlayerState](b, event.EnsurePlayerSubject, event.EnsurePlayer{Name: "CloudStep"})
	require.NoError(t, err)
	p := b.registerWith(event.RegisterPlayer{Name: "CLOUDSTEP", Level: 3})
	if p.ID != placeholder.ID || p.Name != "CLOUDSTEP" || !p.Registered || p.Version != 2 {
		t.Errorf("took over as %+v", p)
	}
	published := b.awaitState(p.ID, func(s event.PlayerState) bool { return s.Registered })
	assert.Equal(t, "state on the stream", p, published)
	got, err := ask[event.PlayerState](b, event.GetPlayerSubject, event.GetPlayer{ID: p.ID})
	if diff := cmp.Diff(p, got); err != nil || diff != "" {
		t.Errorf("got by id: %v (-answered +got):\n%s", err, diff)
	}
	t.Run("for what is not there", func(t *testing.T) {
		if _, err := ask[event.PlayerState](b, event.GetPlayerSubject, event.GetPlayer{ID: "x"}); !errors.Is(err,
			player.ErrUnknown) {
			t.Errorf("returned %v", err)
		}
	})
	t.Run("for a login of the banned", func(t *testing.T) {
		b.register("cheater")
		operator(t, b, "ban", "cheater", "until=2099-01-31", "edited", "replays")
		p := b.registerWith(event.RegisterPlayer{Name: "Cheater"})
		if diff := cmp.Diff(&event.Ban{Until: time.Date(2099, 1, 31, 0, 0, 0, 0, time.UTC)}, p.Ban); diff != "" || !p.Banned {
			t.Errorf("ban (-want +got):\n%s", diff)
		}
	})
}

func TestCommands_rebuild_and_republish(t *testing.T) {
	b := setup(t)
	ann, bob := b.register("ann"), b.register("bob")
	for i := range 5 {
		created := event.MapState{ID: uuid.NewString(), Version: int64(i + 1), AuthorID: ann.ID}
		require.NoError(t, b.Publish(t.Context(), created))
	}
	require.NoError(t, b.Publish(t.Context(), event.PlayerStats{PlayerID: bob.ID, Version: 1, Records: 8}))
	b.awaitCounts(ann.ID, 5, 0)
	b.awaitCounts(bob.ID, 0, 8)

	for _, lost := range []string{"map_authors, player_totals", "map_authors", "player_totals"} {
		t.Run("rebuild without "+lost, func(t *testing.T) {
			_, err := b.Pool.Exec(t.Context(), "truncate "+lost)
			require.NoError(t, err)
			if out := operator(t, b, "rebuild"); out != "Rebuilt from 6 states.\n" {
				t.Errorf("printed %q", out)
			}
			b.awaitCounts(ann.ID, 5, 0)
			b.awaitCounts(bob.ID, 0, 8)
			if a := b.get("/api/v1/players/search?name=ann"); a.Pagination["total"] != 1.0 {
				t.Errorf("search finds %s", a.Raw)
			}
		})
	}
	t.Run("republish after the stream was lost", func(t *testing.T) {
		stream, err := b.JetStream.Stream(t.Context(), event.StateStream.Name)
		require.NoError(t, err)
		require.NoError(t, stream.Purge(t.Context()))
		operator(t, b, "republish")
		for _, p := range []event.PlayerState{ann, bob} {
			published := b.awaitState(p.ID, func(event.PlayerState) bool { return true })
			assert.Equal(t, "state on the stream", p, published)
		}
	})
}

// operator runs a command that succeeds.
func operator(t *testing.T, b *bundle, name string, args ...string) string {
	t.Helper()
	out, err := b.command(name, args...)
	require.NoError(t, err)
	return out
}

// awaitState waits until the stream retains a state of the player that is right.
func (b *bundle) awaitState(id string, right func(event.PlayerState) bool) event.PlayerState {
	b.t.Helper()
	return servicetest.AwaitState(b.Servers, event.PlayerStatePrefix+id, right)
}

func (b *bundle) awaitCounts(id string, maps, records int64) {
	b.t.Helper()
	var p httpapi.Player
	eventually.WaitFor(b.t, fmt.Sprintf("%d maps and %d records of player %s", maps, records, id), func() bool {
		p = b.read(id)
		return p.MapCount == maps && p.RecordCount == records
	})
}
