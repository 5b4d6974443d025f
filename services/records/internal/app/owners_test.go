package app_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/natstest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

// owners are the maps, the players and the notifications service, as far as they are asked.
type owners struct {
	mu      sync.Mutex
	maps    []event.MapState
	players []event.PlayerState
	// followed are whom each player follows.
	followed map[string][]string
	// stopFollows stops the answers of the notifications service.
	stopFollows func()
}

func startOwners(t *testing.T, nc *nats.Conn) *owners {
	t.Helper()
	n := &owners{followed: map[string][]string{}}
	natstest.Serve(t, nc, event.GetMapSubject, func(_ context.Context, req event.GetMap) (event.MapState, error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		answer, err := event.MapState{}, error(record.ErrMapUnknown)
		for _, m := range n.maps {
			if m.ID == req.ID || req.ID == "" && m.GameMapID == req.GameMapID && m.Fingerprint == req.Fingerprint {
				return m, nil
			}
			if req.ID == "" && m.GameMapID == req.GameMapID {
				answer, err = m, nil
			}
		}
		return answer, err
	})
	natstest.Serve(t, nc, event.GetPlayerSubject, func(_ context.Context, req event.GetPlayer) (event.PlayerState, error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, p := range n.players {
			if p.ID == req.ID {
				return p, nil
			}
		}
		return event.PlayerState{}, record.ErrPlayerUnknown
	})
	n.stopFollows = natstest.Serve(t, nc, event.ListFollowedSubject,
		func(_ context.Context, req event.ListFollowed) (event.FollowedPlayers, error) {
			n.mu.Lock()
			defer n.mu.Unlock()
			return event.FollowedPlayers{PlayerIDs: n.followed[req.PlayerID]}, nil
		})
	return n
}

// newPlayer makes a player whom their owner knows.
func (b *bundle) newPlayer(name string) event.PlayerState {
	b.t.Helper()
	p := event.PlayerState{ID: newID(), Version: 1, Name: name, Level: 1, SkinColor: "#8e24aa", Registered: true,
		Roles: []string{}}
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	b.owners.players = append(b.owners.players, p)
	return p
}

// follow makes a player follow others alone.
func (b *bundle) follow(player event.PlayerState, followed ...string) {
	b.t.Helper()
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	b.owners.followed[player.ID] = followed
}

// drawnMap is a map as a test draws it, with the state that its owner publishes.
type drawnMap struct {
	event.MapState
	drawing *bonkmap.Map
}

// newMap makes a map that its owner knows.
func (b *bundle) newMap(name string) drawnMap {
	b.t.Helper()
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	drawing := recordtest.Map(1000+len(b.owners.maps), name, 600)
	m := event.MapState{
		ID: newID(), Version: 1, Name: name, GameMapID: int64(drawing.ID), GameMode: "Classic",
		AuthorID: newID(), MapVersion: 1,
		Fingerprint: drawing.PhysicsFingerprint().String(),
		Medals:      &event.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000},
	}
	b.owners.maps = append(b.owners.maps, m)
	return drawnMap{m, drawing}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// moments gives each replay of a test binary a moment of its own.
var moments = struct {
	sync.Mutex
	last time.Time
}{last: time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)}

// replay makes the file of a replay with a time stamp of its own.
func (b *bundle) replay(m drawnMap, player string, finishTime int) []byte {
	b.t.Helper()
	moments.Lock()
	defer moments.Unlock()
	moments.last = moments.last.Add(time.Second)
	return recordtest.File(b.t, recordtest.Replay(m.drawing, player, finishTime, moments.last))
}
