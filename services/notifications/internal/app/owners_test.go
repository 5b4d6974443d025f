package app_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/natstest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// errRecordUnknown is the answer of the records service for a record that is not there.
var errRecordUnknown = problem.NotFound("record_unknown", "There is no such record.")

// owners are the maps, the players and the records service, as far as they are asked.
type owners struct {
	mu      sync.Mutex
	players map[string]event.PlayerState
	maps    map[string]event.MapState
	// passed are whom each record has passed, and leaderboards the players of each map in the order of their ids.
	passed       map[string][]event.MovedPlayer
	leaderboards map[string][]string
	// stops end the answers.
	stops []func()
}

func startOwners(t *testing.T, nc *nats.Conn) *owners {
	t.Helper()
	o := &owners{
		players: map[string]event.PlayerState{}, maps: map[string]event.MapState{},
		passed: map[string][]event.MovedPlayer{}, leaderboards: map[string][]string{},
	}
	o.stops = []func(){
		natstest.Serve(t, nc, event.GetPlayerSubject,
			func(_ context.Context, req event.GetPlayer) (event.PlayerState, error) {
				return lookup(o, o.players, req.ID, event.ErrPlayerUnknown)
			}),
		natstest.Serve(t, nc, event.GetMapSubject, func(_ context.Context, req event.GetMap) (event.MapState, error) {
			return lookup(o, o.maps, req.ID, event.ErrMapUnknown)
		}),
		natstest.Serve(t, nc, event.FindPassedSubject, o.findPassed),
		natstest.Serve(t, nc, event.ListPlayersSubject, o.listPlayers),
	}
	return o
}

func lookup[T any](o *owners, all map[string]T, id string, unknown error) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	found, ok := all[id]
	if !ok {
		return found, unknown
	}
	return found, nil
}

func (o *owners) findPassed(_ context.Context, req event.FindPassed) (event.PassedPlayers, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	passed, ok := o.passed[req.RecordID]
	if !ok {
		return event.PassedPlayers{}, errRecordUnknown
	}
	answer := event.PassedPlayers{Passed: []event.MovedPlayer{}}
	for _, p := range passed {
		if slices.Contains(req.PlayerIDs, p.PlayerID) {
			answer.Passed = append(answer.Passed, p)
		}
	}
	return answer, nil
}

func (o *owners) listPlayers(_ context.Context, req event.ListPlayers) (event.ListedPlayers, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	players, ok := o.leaderboards[req.MapID]
	if !ok {
		return event.ListedPlayers{}, event.ErrMapUnknown
	}
	page := []string{}
	for _, id := range players {
		if id > req.After && len(page) < event.MaxRequestedPlayers {
			page = append(page, id)
		}
	}
	return event.ListedPlayers{PlayerIDs: page}, nil
}

// newPlayer makes a player whom their owner knows.
func (b *bundle) newPlayer(name string) event.PlayerState {
	b.t.Helper()
	p := event.PlayerState{
		ID: newID(), Version: 1, Name: name, Level: 1, SkinColor: "#8e24aa", Registered: true, Roles: []string{},
	}
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	b.owners.players[p.ID] = p
	return p
}

// newMap makes a map that its owner knows.
func (b *bundle) newMap(name string, author event.PlayerState) event.MapState {
	b.t.Helper()
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	m := event.MapState{
		ID: newID(), Version: 1, Name: name, GameMapID: int64(1000 + len(b.owners.maps)), GameMode: "Classic",
		AuthorID: author.ID,
	}
	b.owners.maps[m.ID] = m
	return m
}

// newVersion makes a new version of a map, which its owner knows.
func (b *bundle) newVersion(of event.MapState) event.MapState {
	b.t.Helper()
	m := of
	m.ID = newID()
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	b.owners.maps[m.ID] = m
	return m
}

// setPassed has a record pass players on its leaderboard.
func (b *bundle) setPassed(recordID string, passed ...event.MovedPlayer) {
	b.t.Helper()
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	b.owners.passed[recordID] = passed
}

// setPlayers has players a personal best on a map.
func (b *bundle) setPlayers(mapID string, players ...string) {
	b.t.Helper()
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	b.owners.leaderboards[mapID] = slices.Sorted(slices.Values(players))
}
