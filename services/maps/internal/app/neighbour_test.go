package app_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/natstest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/problem"
)

// neighbour stands in for the players service, and for a records service without records.
type neighbour struct {
	mu      sync.Mutex
	players map[string]event.PlayerState // by the key of the name
	// played answers the requests for played maps.
	played func(event.FindPlayed) (event.PlayedMaps, error)
	// Leave makes it answer no more.
	Leave func()
}

func newNeighbour(t *testing.T, nc *nats.Conn) *neighbour {
	t.Helper()
	n := &neighbour{players: map[string]event.PlayerState{}}
	stops := []func(){
		natstest.Serve(t, nc, event.EnsurePlayerSubject,
			func(_ context.Context, req event.EnsurePlayer) (event.PlayerState, error) {
				if err := playername.Check(req.Name); err != nil {
					return event.PlayerState{}, err
				}
				return n.player(req.Name), nil
			}),
		natstest.Serve(t, nc, event.GetPlayerSubject, n.get),
		natstest.Serve(t, nc, event.FindFinishSubject,
			func(context.Context, event.FindFinish) (event.FoundFinish, error) { return event.FoundFinish{}, nil }),
		natstest.Serve(t, nc, event.FindPlayedSubject,
			func(_ context.Context, q event.FindPlayed) (event.PlayedMaps, error) {
				n.mu.Lock()
				defer n.mu.Unlock()
				return n.played(q)
			}),
	}
	n.Leave = func() {
		for _, stop := range stops {
			stop()
		}
	}
	return n
}

// player returns the player of a name, made where there is none.
func (n *neighbour) player(name string, roles ...string) event.PlayerState {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := playername.Key(name)
	p, ok := n.players[key]
	if !ok {
		at := time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC)
		p = event.PlayerState{ID: uuid.Must(uuid.NewV7()).String(), Version: 1, Name: name, SkinColor: "#8e24aa",
			Roles: roles, CreatedAt: at, UpdatedAt: at}
		n.players[key] = p
	}
	return p
}

func (n *neighbour) get(_ context.Context, req event.GetPlayer) (event.PlayerState, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range n.players {
		if p.ID == req.ID {
			return p, nil
		}
	}
	return event.PlayerState{}, problem.NotFound("player_unknown", "There is no such player.")
}

func (n *neighbour) answerPlayed(answer func(event.FindPlayed) (event.PlayedMaps, error)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.played = answer
}
