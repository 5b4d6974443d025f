package app_test

import (
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
)

func TestServer_getMap(t *testing.T) {
	b := setup(t)
	m := b.submitted(b.submissionOf(b.Players.player("cloudstep"), 1000, "Skyline Run", "cloudstep"))
	published := b.awaitState(m.UnderscoreId, func(event.MapState) bool { return true })
	check := func(what string, want event.MapState) {
		t.Helper()
		for _, req := range []event.GetMap{{ID: want.ID}, {GameMapID: 1000}} {
			got, err := eventbus.Call[event.MapState](t.Context(), b.NATS, event.GetMapSubject, req)
			require.NoError(t, err)
			assert.Equal(t, what, want, got)
		}
	}
	check("the map", published)
	for _, req := range []event.GetMap{{ID: uuid.NewString()}, {ID: "x"}, {GameMapID: 1001}, {}} {
		_, err := eventbus.Call[event.MapState](t.Context(), b.NATS, event.GetMapSubject, req)
		if problem.From(err).Code != "map_unknown" {
			t.Errorf("asked for %+v: %v", req, err)
		}
	}
	b.operator("remove", m.UnderscoreId, "stolen")
	check("the removed map", event.MapState{ID: m.UnderscoreId, Version: 2, Removed: true})
}

// Moderators remove, restore, unrank and rank maps by commands, each once, as often as they are delivered.
func TestCarryOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	moderator := b.Players.player("mod", access.Moderator)
	former := b.Players.player("former") // a moderator according to the command, and not any more
	id := b.submitted(b.submissionOf(moderator, 1000, "Skyline Run", "mod")).UnderscoreId
	by := func(p event.PlayerState) access.Attribution {
		return access.Attribution{
			Actor: access.Player(p.ID, p.Name, []string{access.Moderator}), Reason: "indecent", PublicReason: access.Indecent,
			DecisionID: uuid.NewString(),
		}
	}
	refused := event.RemoveMap{Attribution: by(former), MapID: id}
	b.SendCommand(refused)
	assert.Equal(t, "a former moderator's command", event.CommandRefused{
		DecisionID: refused.DecisionID, Command: event.RemoveMapSubject, TargetID: id, Code: "not_allowed",
		Message: "You are not allowed to do this.",
	}, servicetest.AwaitFact[event.CommandRefused](b.Servers, event.CommandRefusedSubject))
	remove, restore, unrank, rank := by(moderator), by(moderator), by(moderator), by(moderator)
	thrice := func(c event.Command) {
		for range 3 {
			b.SendCommand(c)
		}
	}
	thrice(event.RemoveMap{Attribution: remove, MapID: id})
	assert.Equal(t, "fact", event.MapRemoved{MapID: id, Reason: "indecent", DecisionID: remove.DecisionID},
		servicetest.AwaitFact[event.MapRemoved](b.Servers, event.MapRemovedSubject))
	thrice(event.RestoreMap{Attribution: restore, MapID: id})
	assert.Equal(t, "fact", event.MapRestored{MapID: id, Reason: "indecent", DecisionID: restore.DecisionID},
		servicetest.AwaitFact[event.MapRestored](b.Servers, event.MapRestoredSubject))
	thrice(event.UnrankMap{Attribution: unrank, MapID: id})
	assert.Equal(t, "unranked by decision", unrank.DecisionID,
		servicetest.AwaitFact[event.MapUnranked](b.Servers, event.MapUnrankedSubject).DecisionID)
	thrice(event.RankMap{Attribution: rank, MapID: id})
	assert.Equal(t, "ranked by decision", rank.DecisionID,
		servicetest.AwaitFact[event.MapRanked](b.Servers, event.MapRankedSubject).DecisionID)
	eventually.WaitFor(t, "all commands are acknowledged", func() bool {
		stream, err := b.JetStream.Stream(t.Context(), event.CommandsStream.Name)
		require.NoError(t, err)
		return stream.CachedInfo().State.Msgs == 0
	})
	assert.Equal(t, "audit rows", 4, b.traces()["audit"])
	b.awaitState(id, func(s event.MapState) bool { return s.Version == 5 && !s.Removed && !s.Unranked })
}

// awaitState waits until the stream retains a state of the map that is right.
func (b *bundle) awaitState(id string, right func(event.MapState) bool) event.MapState {
	b.t.Helper()
	return servicetest.AwaitState(b.Servers, event.MapStatePrefix+id, right)
}

func (b *bundle) awaitRecords(id string, records int64) {
	b.t.Helper()
	eventually.WaitFor(b.t, "the records of map "+id, func() bool { return b.read(id).RecordCount == records })
}
