package app_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/notifications/internal/httpapi"
)

// moved returns a player who was moved one place down, from a place.
func moved(p event.PlayerState, from int) event.MovedPlayer {
	return event.MovedPlayer{PlayerID: p.ID, RecordID: newID(), FinishTime: 42_000, From: from, To: from + 1}
}

// only returns the single group of a player's inbox.
func (b *bundle) only(by event.PlayerState) httpapi.InboxGroup {
	b.t.Helper()
	groups := b.inbox(by, "")
	if len(groups) != 1 {
		b.t.Fatalf("the inbox of %s has %+v, want one group", by.Name, groups)
	}
	return groups[0]
}

// sorted returns the ids of players in their order.
func sorted(players ...event.PlayerState) []string {
	var ids []string
	for _, p := range players {
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestConsumer_record_submitted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, carl, dora := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("carl"), b.newPlayer("dora")
	eve, finn, gus := b.newPlayer("eve"), b.newPlayer("finn"), b.newPlayer("gus")
	m := b.newMap("Skyline Run", eve)
	b.publish(ann)
	for _, follower := range []event.PlayerState{bob, dora, finn} {
		b.put(follower, "/follows/players/"+ann.ID)
	}
	for _, follower := range []event.PlayerState{ann, dora, gus} {
		b.put(follower, "/follows/maps/"+m.ID)
	}

	fact := submitted(m, ann)
	fact.WorldRecord, fact.Rank = true, 1
	fact.PreviousWorldRecord = &event.WorldRecord{RecordID: newID(), PlayerID: bob.ID, FinishTime: 42_000, At: now}
	fact.Overtook = []event.MovedPlayer{moved(bob, 1), moved(carl, 2)}
	b.setPassed(fact.RecordID, moved(bob, 1), moved(dora, 57))
	b.publishFact(fact)

	toRecord := &httpapi.InboxLink{Kind: httpapi.LinkRecord, Id: &fact.RecordID}
	toLeaderboard := &httpapi.InboxLink{Kind: httpapi.LinkLeaderboard, Id: &m.ID}
	want := httpapi.InboxGroup{
		UnderscoreId: "1", Map: mapRef(m), RecordId: &fact.RecordID, FinishTime: new(int64(41_267)), Count: 1,
		Actors: []httpapi.PlayerRef{playerRef(ann)}, ActorCount: 1, At: httpserve.TimeText(now),
	}
	for _, tt := range []struct {
		receiver event.PlayerState
		kind     httpapi.NotificationKind
		from, to *int
		own      *int64
	}{
		{bob, httpapi.RecordLost, new(1), new(2), new(int64(42_000))},
		{carl, httpapi.Passed, new(2), new(3), new(int64(42_000))},
		{dora, httpapi.Passed, new(57), new(58), new(int64(42_000))},
		{eve, httpapi.RecordOnMyMap, nil, nil, nil},
		{finn, httpapi.FollowedRecord, nil, nil, nil},
		{gus, httpapi.FollowedMapRecord, nil, nil, nil},
	} {
		want.Kind, want.From, want.To, want.OwnFinishTime, want.Link = tt.kind, tt.from, tt.to, tt.own, toRecord
		if tt.kind == httpapi.Passed {
			want.Link = toLeaderboard
		}
		if diff := cmp.Diff(want, b.only(tt.receiver)); diff != "" {
			t.Errorf("%s is told (-want +got):\n%s", tt.receiver.Name, diff)
		}
	}
	if got := b.inbox(ann, ""); len(got) > 0 {
		t.Errorf("the player is told of the own record: %+v", got)
	}
	servicetest.AwaitFact[event.NotificationsAdded](b.Servers, event.NotificationsAddedSubject)
}

// What a record has cost comes some seconds after it.
func TestConsumer_points_changed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", ann)
	fact := submitted(m, ann)
	fact.Overtook = []event.MovedPlayer{moved(bob, 1)}
	b.publishFact(fact)
	if got := b.only(bob).PointsLost; got != nil {
		t.Errorf("before points were computed, %v are lost", *got)
	}
	b.publishFact(event.PointsChanged{MapID: m.ID, At: now, Changes: []event.PointsChange{
		{PlayerID: bob.ID, RecordID: fact.RecordID, Before: 6000, After: 5342},
	}})
	if got := b.only(bob).PointsLost; got == nil || *got != 65.8 {
		t.Errorf("bob lost %v, want 65.8", got)
	}
}

// The followers of a map are told of a new version, and who has a personal best on an older one.
func TestConsumer_map_created(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, follower, best := b.newPlayer("author"), b.newPlayer("follower"), b.newPlayer("best")
	first := b.newMap("Skyline Run", author)
	b.put(follower, "/follows/maps/"+first.ID)
	b.setPlayers(first.ID, best.ID)
	second, third := b.newVersion(first), b.newVersion(first)
	b.publish(first, second)
	b.publishFact(event.MapCreated{MapID: third.ID, SubmittedByID: author.ID, SupersededID: second.ID})
	for _, p := range []event.PlayerState{follower, best} {
		got := b.only(p)
		want := httpapi.InboxGroup{
			UnderscoreId: "1", Kind: httpapi.MapNewVersion, Map: mapRef(third), Count: 1, Actors: []httpapi.PlayerRef{},
			Link: &httpapi.InboxLink{Kind: httpapi.LinkLeaderboard, Id: &third.ID}, At: got.At,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s is told (-want +got):\n%s", p.Name, diff)
		}
	}
}
