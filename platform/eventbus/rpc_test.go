package eventbus_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
)

var errUnknown = problem.NotFound("player_unknown", "There is no such player.")

func serveGetPlayer(t *testing.T, b *bundle, h func(context.Context, event.GetPlayer) (event.PlayerState, error)) {
	t.Helper()
	nc, _ := b.nats.Connect()
	stop, err := eventbus.ServeRPC(nc, event.GetPlayerSubject, "players", quiet, h)
	require.NoError(t, err)
	t.Cleanup(stop)
}

func getPlayer(t *testing.T, b *bundle, id string) (event.PlayerState, error) {
	t.Helper()
	return eventbus.Call[event.PlayerState](t.Context(), b.nc, event.GetPlayerSubject, event.GetPlayer{ID: id})
}

func TestServeRPC_two_replicas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var s seen
	for range 2 {
		serveGetPlayer(t, b, func(_ context.Context, q event.GetPlayer) (event.PlayerState, error) {
			s.add(q.ID)
			return event.PlayerState{ID: q.ID, Name: "cloudstep"}, nil
		})
	}
	eventually.WaitFor(t, "an answer", func() bool { _, err := getPlayer(t, b, "first"); return err == nil })
	got, err := getPlayer(t, b, "p1")
	require.NoError(t, err)
	assert.Equal(t, "answer", event.PlayerState{ID: "p1", Name: "cloudstep"}, got)
	assert.Equal(t, "handled requests", []string{"first", "p1"}, s.sorted())
}

func TestCall_returns_problems(t *testing.T) {
	t.Parallel()
	b := setup(t)
	serveGetPlayer(t, b, func(_ context.Context, q event.GetPlayer) (event.PlayerState, error) {
		switch q.ID {
		case "unknown":
			return event.PlayerState{}, errUnknown.WithData("_id", q.ID)
		case "panic":
			panic("a bug")
		default:
			return event.PlayerState{}, errors.New("secret detail")
		}
	})
	eventually.WaitFor(t, "an answer", func() bool {
		_, err := getPlayer(t, b, "unknown")
		return !errors.Is(err, eventbus.ErrUnavailable)
	})

	_, err := getPlayer(t, b, "unknown")
	p := problem.From(err)
	if !errors.Is(err, errUnknown) || p.Kind != problem.KindNotFound || p.Data["_id"] != "unknown" {
		t.Errorf("got %#v, want %v with its data", p, errUnknown)
	}
	for _, id := range []string{"panic", "broken"} {
		_, err = getPlayer(t, b, id)
		if p := problem.From(err); p.Kind != problem.KindInternal || p.Code != "internal" {
			t.Errorf("%s: got %v, want an internal problem without details", id, err)
		}
	}
}

func TestCall_without_an_answer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := getPlayer(t, b, "p1"); !errors.Is(err, eventbus.ErrUnavailable) {
		t.Errorf("without a subscriber: %v, want ErrUnavailable", err)
	}
	b.nats.Stop()
	eventually.WaitFor(t, "the loss of the connection", func() bool { return !b.nc.IsConnected() })
	if _, err := getPlayer(t, b, "p1"); !errors.Is(err, eventbus.ErrUnavailable) {
		t.Errorf("without NATS: %v, want ErrUnavailable", err)
	}
}

func TestServeRPC_stop_drops_no_request(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answer := func(_ context.Context, q event.GetPlayer) (event.PlayerState, error) {
		return event.PlayerState{ID: q.ID}, nil
	}
	serveGetPlayer(t, b, answer)
	for range 20 {
		stopping, _ := b.nats.Connect()
		stop, err := eventbus.ServeRPC(stopping, event.GetPlayerSubject, "players", quiet, answer)
		require.NoError(t, err)
		require.NoError(t, stopping.Flush())
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() {
				if _, err := getPlayer(t, b, "p1"); err != nil {
					t.Error(err)
				}
			})
		}
		stop()
		group.Wait()
	}
}
