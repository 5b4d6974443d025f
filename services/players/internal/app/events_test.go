package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/players/internal/player"
)

func TestServer(t *testing.T) {
	b := setup(t)
	b.startReplica()

	t.Run("for one player of a name, from two replicas at once", func(t *testing.T) {
		ids := make([]string, 20)
		group, ctx := errgroup.WithContext(t.Context())
		for i := range ids {
			group.Go(func() error {
				name := "CloudStep"
				if i%2 == 0 {
					name = strings.ToLower(name)
				}
				p, err := eventbus.Call[event.EnsurePlayer, event.PlayerState](ctx, b.NATS, event.EnsurePlayerSubject,
					event.EnsurePlayer{Name: name})
				ids[i] = p.ID
				return err
			})
		}
		require.NoError(t, group.Wait())
		for _, id := range ids {
			if id != ids[0] || id == "" {
				t.Fatalf("several players were made: %q", ids)
			}
		}
		t.Run("who logs in and keeps the id", func(t *testing.T) {
			p := b.registerWith(event.RegisterPlayer{Name: "CLOUDSTEP", Level: 3})
			if p.ID != ids[0] || p.Name != "CLOUDSTEP" || !p.Registered || p.Version != 2 {
				t.Errorf("took over as %+v", p)
			}
			published := b.awaitState(p.ID, func(s event.PlayerState) bool { return s.Registered })
			if diff := cmp.Diff(p, published); diff != "" {
				t.Errorf("state on the stream (-answered +published):\n%s", diff)
			}
			got, err := ask[event.PlayerState](b, event.GetPlayerSubject, event.GetPlayer{ID: p.ID})
			require.NoError(t, err)
			if diff := cmp.Diff(p, got); diff != "" {
				t.Errorf("got by id (-answered +got):\n%s", diff)
			}
		})
	})
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
	t.Run("for a login under a former name of the banned", func(t *testing.T) {
		b.register("renamed")
		operator(t, b, "merge", "renamed", "cheater")
		if _, err := ask[event.PlayerState](b, event.RegisterPlayerSubject,
			event.RegisterPlayer{Name: "Renamed"}); !errors.Is(err, player.ErrBanned) {
			t.Errorf("returned %v", err)
		}
	})
}

func TestConsumers_totals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startReplica() // both take from the one consumer
	ann, bob := b.register("ann"), b.register("bob")
	const maps, runs = 30, 40
	var group errgroup.Group
	for i := range maps {
		id := uuid.NewString()
		group.Go(func() error {
			// Each map is ann's at first; every third goes to bob, another third is removed.
			states := []event.MapState{{ID: id, Version: 1, AuthorID: ann.ID}, {ID: id, Version: 2, AuthorID: ann.ID}}
			switch i % 3 {
			case 0:
				states = append(states, event.MapState{ID: id, Version: 3, AuthorID: bob.ID})
			case 1:
				states = append(states, event.MapState{ID: id, Version: 3, Removed: true})
			}
			for _, s := range append(states, states...) { // everything twice, the second time out of order
				if err := b.Publish(t.Context(), s); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for v := 1; v <= runs; v++ {
		group.Go(func() error {
			return b.Publish(t.Context(), event.PlayerStats{PlayerID: bob.ID, Version: int64(v), Records: int64(v)})
		})
	}
	require.NoError(t, group.Wait())
	// What was published last stays on the stream, and no older state follows.
	require.NoError(t, b.Publish(t.Context(), event.PlayerStats{PlayerID: bob.ID, Version: runs, Records: runs}))
	b.awaitCounts(ann.ID, maps/3, 0)
	b.awaitCounts(bob.ID, maps/3, runs)
}

func TestService_NATS_down(t *testing.T) {
	b := setup(t)
	ann, bob := b.register("ann"), b.register("bob")
	operator(t, b, "grant", "ann", "admin")
	b.awaitState(ann.ID, func(s event.PlayerState) bool { return len(s.Roles) == 1 })

	b.NATSServer.Stop()
	a := b.put(ann, bob.ID, text("roles", `["admin","validator"]`))
	if a.Status != http.StatusOK || len(servicetest.Data[wirePlayer](t, a).Roles) != 2 {
		t.Fatalf("without NATS: %d %s", a.Status, a.Raw)
	}
	if a := b.get("/api/v1/players/search?name=ann"); a.Status != http.StatusOK {
		t.Errorf("search without NATS: %d", a.Status)
	}
	b.NATSServer.Restart()
	b.awaitState(bob.ID, func(s event.PlayerState) bool { return cmp.Equal(s.Roles, []string{"admin", "validator"}) })
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
			if a := b.get("/api/v1/players/search?name=ann"); a.Pagination["total"] != 1 {
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
			if diff := cmp.Diff(p, published); diff != "" {
				t.Errorf("state on the stream (-want +published):\n%s", diff)
			}
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
	var p wirePlayer
	eventually.WaitFor(b.t, fmt.Sprintf("%d maps and %d records of player %s", maps, records, id), func() bool {
		p = b.read(id)
		return p.MapCount == maps && p.RecordCount == records
	})
}
