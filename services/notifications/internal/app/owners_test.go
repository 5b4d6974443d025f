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
	players []event.PlayerState
	maps    []event.MapState
	// passed are whom each record has passed, and leaderboards the players of each map in the order of their ids.
	passed       map[string][]event.MovedPlayer
	leaderboards map[string][]string
	// pages counts the requests for players of maps.
	pages int
	// stops end the answers, by subject.
	stops map[string]func()
}

func startOwners(t *testing.T, nc *nats.Conn) *owners {
	t.Helper()
	o := &owners{
		passed: map[string][]event.MovedPlayer{}, leaderboards: map[string][]string{}, stops: map[string]func(){},
	}
	o.start(t, nc)
	return o
}

// start answers all requests until the test ends.
func (o *owners) start(t *testing.T, nc *nats.Conn) {
	t.Helper()
	o.stops[event.GetPlayerSubject] = natstest.Serve(t, nc, event.GetPlayerSubject, o.getPlayer)
	o.stops[event.GetMapSubject] = natstest.Serve(t, nc, event.GetMapSubject, o.getMap)
	o.stops[event.FindPassedSubject] = natstest.Serve(t, nc, event.FindPassedSubject, o.findPassed)
	o.stops[event.ListPlayersSubject] = natstest.Serve(t, nc, event.ListPlayersSubject, o.listPlayers)
}

func (o *owners) getPlayer(_ context.Context, req event.GetPlayer) (event.PlayerState, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.IndexFunc(o.players, func(p event.PlayerState) bool { return p.ID == req.ID }); i >= 0 {
		return o.players[i], nil
	}
	return event.PlayerState{}, event.ErrPlayerUnknown
}

func (o *owners) getMap(_ context.Context, req event.GetMap) (event.MapState, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.IndexFunc(o.maps, func(m event.MapState) bool { return m.ID == req.ID }); i >= 0 {
		return o.maps[i], nil
	}
	return event.MapState{}, event.ErrMapUnknown
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
	o.pages++
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
	b.owners.players = append(b.owners.players, p)
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
	b.owners.maps = append(b.owners.maps, m)
	return m
}

// newVersion makes a new version of a map, which its owner knows.
func (b *bundle) newVersion(of event.MapState) event.MapState {
	b.t.Helper()
	m := of
	m.ID = newID()
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	b.owners.maps = append(b.owners.maps, m)
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
