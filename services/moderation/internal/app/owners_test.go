package app_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// owners are the maps, the players and the records service, as far as they are asked and carry out commands.
type owners struct {
	t       *testing.T
	servers *servicetest.Servers

	mu      sync.Mutex
	players map[string]event.PlayerState
	maps    map[string]event.MapState
	records map[string]event.InspectedRecord
	// received are the commands in the order in which they came.
	received []received
	// holds is true while commands are not carried out.
	holds bool
	// refuses has the codes with which commands are refused, by their subjects.
	refuses map[string]string
	// stopRecords ends the answers of the records service.
	stopRecords func()
}

// received is a command.
type received struct {
	Subject string
	access.Attribution
	RecordID, MapID, PlayerID, IntoID string
	Until                             time.Time
}

func (r received) target() string {
	return r.RecordID + r.MapID + r.PlayerID
}

func startOwners(t *testing.T, servers *servicetest.Servers) *owners {
	t.Helper()
	o := &owners{
		t: t, servers: servers, players: map[string]event.PlayerState{}, maps: map[string]event.MapState{},
		records: map[string]event.InspectedRecord{}, refuses: map[string]string{},
	}
	nc := servers.NATS
	natstest.Serve(t, nc, event.GetPlayerSubject, func(_ context.Context, req event.GetPlayer) (event.PlayerState, error) {
		return lookup(o, o.players, req.ID, event.ErrPlayerUnknown)
	})
	natstest.Serve(t, nc, event.GetMapSubject, func(_ context.Context, req event.GetMap) (event.MapState, error) {
		return lookup(o, o.maps, req.ID, event.ErrMapUnknown)
	})
	o.serveRecords()
	sub, err := nc.Subscribe("commands.v1.>", o.receive)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sub.Unsubscribe() })
	return o
}

func (o *owners) serveRecords() {
	o.stopRecords = natstest.Serve(o.t, o.servers.NATS, event.InspectRecordSubject,
		func(_ context.Context, req event.InspectRecord) (event.InspectedRecord, error) {
			return lookup(o, o.records, req.RecordID, problem.NotFound("record_unknown", "There is no such record."))
		})
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

// receive takes a command, and carries it out unless commands are held.
func (o *owners) receive(msg *nats.Msg) {
	var e event.Envelope
	command := received{Subject: msg.Subject}
	if json.Unmarshal(msg.Data, &e) != nil || json.Unmarshal(e.Data, &command) != nil {
		o.t.Errorf("%s: %s", msg.Subject, msg.Data)
		return
	}
	o.mu.Lock()
	o.received = append(o.received, command)
	holds := o.holds
	o.mu.Unlock()
	if !holds {
		o.carryOut(command)
	}
}

// carryOut changes the state and publishes the fact, or the refusal.
func (o *owners) carryOut(c received) {
	o.mu.Lock()
	code := o.refuses[c.Subject]
	o.mu.Unlock()
	fact := o.change(c)
	if code != "" {
		fact = event.CommandRefused{
			DecisionID: c.DecisionID, Command: c.Subject, TargetID: c.target(), Code: code, Message: "It is refused.",
		}
	}
	if err := o.servers.PublishFact(context.Background(), newID(), fact); err != nil {
		o.t.Error(err)
	}
}

// change applies a command that is not refused and returns its fact.
func (o *owners) change(c received) event.Fact {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.refuses[c.Subject] != "" {
		return nil
	}
	now := time.Now().UTC()
	removed := event.RecordRemoved{RecordID: c.RecordID, DecisionID: c.DecisionID, At: now}
	if r, ok := o.records[c.RecordID]; ok {
		r.Removed = c.Subject == event.RemoveRecordSubject
		o.records[c.RecordID] = r
		removed.MapID, removed.PlayerID = r.MapID, r.PlayerID
	}
	hidden := event.RecordsHidden{PlayerID: c.PlayerID, DecisionID: c.DecisionID, At: now}
	ofMap := event.MapRemoved{MapID: c.MapID, DecisionID: c.DecisionID}
	switch c.Subject {
	case event.RemoveRecordSubject:
		return removed
	case event.RestoreRecordSubject:
		return event.RecordRestored(removed)
	case event.HidePlayerSubject:
		return hidden
	case event.ShowPlayerSubject:
		return event.RecordsShown(hidden)
	case event.RemoveMapSubject:
		return ofMap
	case event.RestoreMapSubject:
		return event.MapRestored(ofMap)
	case event.UnrankMapSubject:
		o.setMap(c.MapID, func(m *event.MapState) { m.Unranked = true })
		return event.MapUnranked(ofMap)
	case event.RankMapSubject:
		o.setMap(c.MapID, func(m *event.MapState) { m.Unranked = false })
		return event.MapRanked(ofMap)
	case event.BanPlayerSubject:
		o.setPlayer(c.PlayerID, func(p *event.PlayerState) {
			p.Banned, p.Ban = true, &event.Ban{Until: c.Until, DecisionID: c.DecisionID}
		})
		return event.PlayerBanned{PlayerID: c.PlayerID, DecisionID: c.DecisionID, Until: c.Until}
	case event.UnbanPlayerSubject:
		o.setPlayer(c.PlayerID, func(p *event.PlayerState) { p.Banned, p.Ban = false, nil })
		return event.PlayerUnbanned{PlayerID: c.PlayerID, DecisionID: c.DecisionID}
	case event.MergePlayerSubject:
		return event.PlayerMerged{PlayerID: c.PlayerID, IntoID: c.IntoID, DecisionID: c.DecisionID}
	}
	o.t.Errorf("unknown command %s", c.Subject)
	return nil
}

// setPlayer changes a player and publishes the state. The lock is held.
func (o *owners) setPlayer(id string, change func(p *event.PlayerState)) {
	p := o.players[id]
	change(&p)
	p.Version++
	o.players[id] = p
	o.publish(p)
}

// setMap changes a map and publishes the state. The lock is held.
func (o *owners) setMap(id string, change func(m *event.MapState)) {
	m := o.maps[id]
	change(&m)
	m.Version++
	o.maps[id] = m
	o.publish(m)
}

func (o *owners) publish(state event.State) {
	if err := o.servers.Publish(context.Background(), state); err != nil {
		o.t.Error(err)
	}
}

// locked calls a function while nothing else changes.
func (o *owners) locked(do func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	do()
}

// hold keeps commands from being carried out.
func (o *owners) hold() { o.locked(func() { o.holds = true }) }

// release carries out the commands that were held, and all later ones.
func (o *owners) release() {
	o.locked(func() { o.holds = false })
	for _, c := range o.awaitCommands(0) {
		o.carryOut(c)
	}
}

// refuse has commands of a subject refused with a code, or carried out again where it is empty.
func (o *owners) refuse(subject, code string) { o.locked(func() { o.refuses[subject] = code }) }

// commands returns the subjects of the commands that came.
func (o *owners) commands() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	subjects := []string{}
	for _, c := range o.received {
		subjects = append(subjects, c.Subject)
	}
	return subjects
}

// awaitCommands waits until so many commands have come and returns them.
func (o *owners) awaitCommands(count int) []received {
	o.t.Helper()
	eventually.WaitFor(o.t, "commands", func() bool { return len(o.commands()) >= count })
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.received)
}

// newPlayer makes a player whom the service knows.
func (b *bundle) newPlayer(name string, roles ...string) event.PlayerState {
	b.t.Helper()
	p := event.PlayerState{
		ID: newID(), Version: 1, Name: name, Level: 1, Registered: true, Roles: append([]string{}, roles...),
		CreatedAt: time.Now().Add(-48 * time.Hour).UTC().Truncate(time.Millisecond),
	}
	b.owners.locked(func() { b.owners.players[p.ID] = p })
	b.publish(p)
	return p
}

// newMap makes a map that the service knows.
func (b *bundle) newMap(name string, author event.PlayerState) event.MapState {
	b.t.Helper()
	m := event.MapState{
		ID: newID(), Version: 1, Name: name, GameMapID: 7, GameMode: "Classic", AuthorID: author.ID,
	}
	b.owners.locked(func() { b.owners.maps[m.ID] = m })
	b.publish(m)
	return m
}

// newRecord makes a record that its owner knows.
func (b *bundle) newRecord(player event.PlayerState, m event.MapState, neighbours ...event.PlayerState) string {
	b.t.Helper()
	at := time.Now().Add(-time.Hour).UTC().Truncate(time.Millisecond)
	r := event.InspectedRecord{
		RecordID: newID(), MapID: m.ID, PlayerID: player.ID, FinishTime: 40_000, FinishTimeStamp: at, CreatedAt: at,
		Rank: 1, Finishers: 20,
	}
	for i, n := range neighbours {
		r.Neighbours = append(r.Neighbours, event.RankedFinish{
			RecordID: newID(), PlayerID: n.ID, FinishTime: 41_000, Rank: int64(2 + i),
		})
	}
	b.owners.locked(func() { b.owners.records[r.RecordID] = r })
	return r.RecordID
}
