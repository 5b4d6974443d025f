package app_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

// moved returns a player who was moved one place down, from a place.
func moved(p event.PlayerState, from int) event.MovedPlayer {
	return event.MovedPlayer{PlayerID: p.ID, RecordID: newID(), FinishTime: 42_000, From: from, To: from + 1}
}

// only returns the single group of a player's inbox.
func (b *bundle) only(by event.PlayerState) wireGroup {
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
	eve, finn, gus, hank := b.newPlayer("eve"), b.newPlayer("finn"), b.newPlayer("gus"), b.newPlayer("hank")
	m := b.newMap("Skyline Run", eve)
	b.publish(ann)
	for _, follower := range []event.PlayerState{bob, dora, finn, hank} {
		b.put(follower, "/follows/players/"+ann.ID)
	}
	for _, follower := range []event.PlayerState{ann, dora, gus} {
		b.put(follower, "/follows/maps/"+m.ID)
	}
	hank.Version, hank.Banned = 2, true
	b.publish(hank)

	fact := submitted(m, ann)
	fact.WorldRecord, fact.Rank = true, 1
	fact.PreviousWorldRecord = &event.WorldRecord{RecordID: newID(), PlayerID: bob.ID, FinishTime: 42_000, At: now}
	fact.Overtook = []event.MovedPlayer{moved(bob, 1), moved(carl, 2)}
	b.setPassed(fact.RecordID, moved(bob, 1), moved(dora, 57))
	b.tell(fact)

	want := wireGroup{
		ID: "1", Map: &wireMap{m.ID, "Skyline Run"}, RecordID: &fact.RecordID, FinishTime: new(int64(41_267)), Count: 1,
		Actors: []wirePlayer{reference(ann)}, ActorCount: 1, At: now,
	}
	for _, tt := range []struct {
		receiver event.PlayerState
		kind     string
		from, to *int
	}{
		{bob, "record_lost", new(1), new(2)},
		{carl, "passed", new(2), new(3)},
		{dora, "passed", new(57), new(58)},
		{eve, "record_on_my_map", nil, nil},
		{finn, "followed_record", nil, nil},
		{gus, "followed_map_record", nil, nil},
	} {
		want.Kind, want.From, want.To = tt.kind, tt.from, tt.to
		if diff := cmp.Diff(want, b.only(tt.receiver)); diff != "" {
			t.Errorf("%s is told (-want +got):\n%s", tt.receiver.Name, diff)
		}
	}
	if got := b.kinds(ann); len(got) > 0 {
		t.Errorf("the player is told of the own record: %q", got)
	}
	published := []event.NotificationsAdded{
		{PlayerIDs: sorted(gus), Kind: "followed_map_record", At: now},
		{PlayerIDs: sorted(finn), Kind: "followed_record", At: now},
		{PlayerIDs: sorted(carl, dora), Kind: "passed", At: now},
		{PlayerIDs: sorted(bob), Kind: "record_lost", At: now},
		{PlayerIDs: sorted(eve), Kind: "record_on_my_map", At: now},
	}
	if diff := cmp.Diff(published, b.added()); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	servicetest.AwaitFact[event.NotificationsAdded](b.Servers, event.NotificationsAddedSubject)

	slower := submitted(m, ann)
	slower.PersonalBest, slower.Rank = false, 0
	unknown := submitted(event.MapState{ID: unknownID}, ann)
	b.tell(slower)
	b.tell(unknown)
	if diff := cmp.Diff(published, b.added()); diff != "" {
		t.Errorf("no personal best, or on an unknown map, but published (-want +got):\n%s", diff)
	}
}

// What a record has cost comes some seconds after it. More points are no news.
func TestConsumer_points_changed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, carl := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("carl")
	m := b.newMap("Skyline Run", ann)
	fact := submitted(m, ann)
	fact.Overtook = []event.MovedPlayer{moved(bob, 1), moved(carl, 2)}
	b.tell(fact)
	if got := b.only(bob).PointsLost; got != nil {
		t.Errorf("before points were computed, %v are lost", *got)
	}
	b.tell(event.PointsChanged{MapID: m.ID, At: now, Changes: []event.PointsChange{
		{PlayerID: bob.ID, RecordID: fact.RecordID, Before: 6000, After: 5342},
		{PlayerID: carl.ID, RecordID: fact.RecordID, Before: 5342, After: 5342},
	}})
	if got := b.only(bob).PointsLost; got == nil || *got != 65.8 {
		t.Errorf("bob lost %v, want 65.8", got)
	}
	if got := b.only(carl).PointsLost; got != nil {
		t.Errorf("carl lost %v, want nothing", *got)
	}
}

func TestConsumer_record_removed_and_restored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", ann)
	broken := event.WorldRecord{RecordID: newID(), PlayerID: ann.ID, FinishTime: 42_000, At: now}
	fact := submitted(m, bob)
	fact.PreviousWorldRecord = &broken
	b.tell(fact)
	removed := event.RecordRemoved{
		RecordID: fact.RecordID, MapID: m.ID, PlayerID: bob.ID, FinishTime: fact.FinishTime, PersonalBest: true,
		WorldRecord: &broken, Reason: "edited", At: now.Add(time.Minute),
	}
	b.tell(removed)
	regained := wireGroup{
		ID: "2", Kind: "record_regained", Map: &wireMap{m.ID, "Skyline Run"}, RecordID: &broken.RecordID,
		FinishTime: &broken.FinishTime, Count: 1, Actors: []wirePlayer{}, At: removed.At,
	}
	if diff := cmp.Diff(regained, b.inbox(ann, "?kind=record_regained")[0]); diff != "" {
		t.Errorf("told after the removal (-want +got):\n%s", diff)
	}
	removedSince := func(kind string) bool { return b.inbox(ann, "?kind="+kind)[0].RemovedSince }
	if !removedSince("record_lost") || removedSince("record_regained") {
		t.Error("after the removal, not the lost record alone is marked")
	}
	restored := event.RecordRestored(removed)
	restored.At = now.Add(2 * time.Minute)
	b.tell(restored)
	if removedSince("record_lost") || !removedSince("record_regained") {
		t.Error("after the restoration, not the regained record alone is marked")
	}
	lost := b.inbox(ann, "?kind=record_lost")[0]
	if lost.Count != 1 || !lost.At.Equal(restored.At) || lost.Actors[0].ID != bob.ID {
		t.Errorf("told after the restoration: %+v", lost)
	}
	if got := b.kinds(ann); len(got) != 2 || len(b.kinds(bob)) > 0 {
		t.Errorf("ann was told of %q, bob of %q", got, b.kinds(bob))
	}
	late := removed
	late.At = now.Add(time.Minute + time.Second)
	b.tell(late)
	if removedSince("record_lost") {
		t.Error("a removal before the restoration has undone it")
	}

	// Removed again, ann is told again.
	again := removed
	again.At = now.Add(3 * time.Minute)
	for range 2 {
		b.tell(again)
	}
	group := b.inbox(ann, "?kind=record_regained")[0]
	if group.RemovedSince || group.Count != 1 || !group.At.Equal(again.At) || !removedSince("record_lost") {
		t.Errorf("after the second removal: %+v", group)
	}
}

// Who has become the holder of the world record meanwhile is told that a restored record has broken it.
func TestConsumer_record_restored_over_another(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bob, carl := b.newPlayer("bob"), b.newPlayer("carl")
	m := b.newMap("Skyline Run", bob)
	b.publish(m)
	restored := event.RecordRestored{
		RecordID: newID(), MapID: m.ID, PlayerID: bob.ID, FinishTime: 41_000, PersonalBest: true, Reason: "It was right.",
		WorldRecord: &event.WorldRecord{RecordID: newID(), PlayerID: carl.ID, FinishTime: 42_000}, At: now,
	}
	for range 2 {
		b.tell(restored)
	}
	if got := b.only(carl); got.Kind != "record_lost" || *got.RecordID != restored.RecordID ||
		got.Actors[0].ID != bob.ID || got.RemovedSince {
		t.Errorf("carl is told %+v", got)
	}
	if told := b.kinds(bob); len(told) != 0 {
		t.Errorf("bob is told %q", told)
	}
}

func TestConsumer_records_hidden_and_shown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, carl := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("carl")
	skyline, tower := b.newMap("Skyline Run", carl), b.newMap("Tower", carl)
	b.publish(skyline, tower)
	b.tell(submitted(skyline, bob))
	hidden := event.RecordsHidden{
		PlayerID: bob.ID, Reason: "cheated", At: now.Add(time.Minute),
		WorldRecords: []event.MapWorldRecord{
			{MapID: skyline.ID, WorldRecord: event.WorldRecord{RecordID: newID(), PlayerID: ann.ID, FinishTime: 42_000}},
			{MapID: tower.ID, WorldRecord: event.WorldRecord{RecordID: newID(), PlayerID: ann.ID, FinishTime: 43_000}},
		},
	}
	b.tell(hidden)
	names := []string{}
	for _, g := range b.inbox(ann, "?kind=record_regained") {
		names = append(names, g.Map.Name)
		if g.RemovedSince {
			t.Errorf("marked at once: %+v", g)
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"Skyline Run", "Tower"}, names); diff != "" {
		t.Errorf("world records again on (-want +got):\n%s", diff)
	}
	if !b.only(carl).RemovedSince {
		t.Error("the record of a hidden player is not marked")
	}
	shown := event.RecordsShown(hidden)
	shown.At = now.Add(2 * time.Minute)
	b.tell(shown)
	lost := 0
	for _, g := range b.inbox(ann, "") {
		if g.RemovedSince != (g.Kind == "record_regained") {
			t.Errorf("after the records are shown again: %+v", g)
		}
		if g.Kind == "record_lost" && g.Actors[0].ID == bob.ID {
			lost++
		}
	}
	if lost != 2 {
		t.Errorf("told of %d lost world records", lost)
	}
	if b.only(carl).RemovedSince {
		t.Error("the record of a shown player is marked")
	}
}

// A record that is removed while its player is hidden, or shown again, marks what was told of the hiding and showing.
func TestConsumer_removed_while_hidden(t *testing.T) {
	t.Parallel()
	b := setup(t)
	carl := b.newPlayer("carl")
	m := b.newMap("Skyline Run", carl)
	b.publish(m)
	for _, tt := range []struct {
		name  string
		steps []string
		want  map[string]bool // whether it is marked, by kind
	}{
		{
			"hidden, removed, shown", []string{"hide", "remove hidden", "show nothing"},
			map[string]bool{"record_regained": false},
		},
		{
			"hidden, removed, shown, restored", []string{"hide", "remove hidden", "show nothing", "restore"},
			map[string]bool{"record_regained": true, "record_lost": false},
		},
		{
			"hidden, removed, restored, shown", []string{"hide", "remove hidden", "restore hidden", "show"},
			map[string]bool{"record_regained": true, "record_lost": false},
		},
		{
			"hidden, shown, removed", []string{"hide", "show", "remove"},
			map[string]bool{"record_regained": false, "record_lost": true},
		},
		{
			"hidden, shown, removed, restored", []string{"hide", "show", "remove", "restore"},
			map[string]bool{"record_regained": true, "record_lost": false},
		},
		{
			"hidden, shown, another record removed", []string{"hide", "show", "remove own"},
			map[string]bool{"record_regained": true, "record_lost": false},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
			held := event.WorldRecord{RecordID: newID(), PlayerID: bob.ID, FinishTime: 42_000}
			own := event.WorldRecord{RecordID: newID(), PlayerID: ann.ID, FinishTime: 41_500}
			hidden := event.RecordsHidden{
				PlayerID: ann.ID, Reason: "cheated", WorldRecords: []event.MapWorldRecord{{MapID: m.ID, WorldRecord: held}},
			}
			removed := event.RecordRemoved{
				RecordID: newID(), MapID: m.ID, PlayerID: ann.ID, FinishTime: 41_000, PersonalBest: true, Reason: "edited",
			}
			for i, step := range tt.steps {
				hidden.At = now.Add(time.Duration(i) * time.Minute)
				removed.At = hidden.At
				unchanged, moved, ofOwn := hidden, removed, removed
				unchanged.WorldRecords, moved.WorldRecord, ofOwn.WorldRecord = nil, &held, &own
				b.tell(map[string]event.Fact{
					"hide": hidden, "show": event.RecordsShown(hidden), "show nothing": event.RecordsShown(unchanged),
					"remove": moved, "restore": event.RecordRestored(moved), "remove own": ofOwn,
					"remove hidden": removed, "restore hidden": event.RecordRestored(removed),
				}[step])
			}
			got := map[string]bool{}
			for _, g := range b.inbox(bob, "") {
				got[g.Kind] = g.RemovedSince
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("marked (-want +got):\n%s", diff)
			}
		})
	}
}

// The page of the leaderboard is exactly full, so that another one is asked for.
func TestConsumer_map_created(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, submitter := b.newPlayer("author"), b.newPlayer("submitter")
	follower, best := b.newPlayer("follower"), b.newPlayer("best")
	first := b.newMap("Skyline Run", author)
	b.put(follower, "/follows/maps/"+first.ID)
	players := sorted(author, submitter, best)
	for len(players) < event.MaxRequestedPlayers {
		players = append(players, newID())
	}
	b.setPlayers(first.ID, players...)
	second := b.newVersion(first)

	b.tell(event.MapCreated{MapID: first.ID, SubmittedByID: submitter.ID})
	if got := b.added(); len(got) > 0 {
		t.Errorf("told of a first version: %+v", got)
	}
	b.tell(event.MapCreated{MapID: second.ID, SubmittedByID: submitter.ID, SupersededID: first.ID})
	b.owners.mu.Lock()
	if b.owners.pages != 2 {
		t.Errorf("asked for %d pages, want 2", b.owners.pages)
	}
	b.owners.mu.Unlock()
	for _, p := range []event.PlayerState{follower, best} {
		got := b.only(p)
		want := wireGroup{
			ID: "1", Kind: "map_new_version", Map: &wireMap{second.ID, "Skyline Run"}, Count: 1,
			Actors: []wirePlayer{}, At: got.At,
		}
		if diff := cmp.Diff(want, got); diff != "" || got.At.Before(now) {
			t.Errorf("%s is told at %s (-want +got):\n%s", p.Name, got.At, diff)
		}
	}
	told := len(b.kinds(author)) + len(b.kinds(submitter))
	if n := b.count("select count(*) from notifications"); n != event.MaxRequestedPlayers-2+1 || told > 0 {
		t.Errorf("%d are told, the author and the submitter of %d", n, told)
	}

	// Also who has a record on an older version alone.
	b.publish(first, second)
	third := b.newVersion(first)
	b.tell(event.MapCreated{MapID: third.ID, SubmittedByID: submitter.ID, SupersededID: second.ID})
	if got := b.kinds(follower); len(got) != 2 || len(b.kinds(best)) != 2 {
		t.Errorf("the follower is told of %q, the player with a record on the first version of %q", got, b.kinds(best))
	}
}

func TestConsumer_merged_players(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("joe")
	m := b.newMap("Skyline Run", ann)
	b.publish(bob, joe)
	b.put(joe, "/follows/players/"+ann.ID)
	b.publish(event.PlayerState{ID: ann.ID, Version: 2, Removed: true, MergedInto: bob.ID})
	if !b.isFollowing(joe, "/follows/players/"+ann.ID) || !b.isFollowing(joe, "/follows/players/"+bob.ID) {
		t.Error("the player merged into is not followed")
	}
	if a := b.do(ann, http.MethodPut, "/follows/players/"+bob.ID, nil); a.Code != "follow_self" {
		t.Errorf("following oneself under another id: %d %s", a.Status, a.Raw)
	}
	b.tell(submitted(m, joe)) // ann is the author still
	if got := b.only(bob).Kind; got != "record_on_my_map" || b.only(ann).Kind != got {
		t.Errorf("bob is told of %q", got)
	}
	b.tell(submitted(m, bob))
	want := wireFollows{Players: []wirePlayer{reference(bob)}, Maps: []wireMap{}}
	if diff := cmp.Diff(want, b.follows(joe)); diff != "" || b.only(joe).Actors[0].ID != bob.ID {
		t.Errorf("joe follows (-want +got):\n%s", diff)
	}
}

// A fact that is no fact is ended, and the next one is handled.
func TestConsumer_undecodable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", ann)
	for _, broken := range []event.Fact{
		event.RecordSubmitted{RecordID: "r1", MapID: m.ID, PlayerID: bob.ID, PersonalBest: true, At: now},
		event.RecordSubmitted{RecordID: newID(), MapID: m.ID, PlayerID: "bob", PersonalBest: true, At: now},
		event.RecordRemoved{RecordID: "r1", MapID: m.ID, PlayerID: bob.ID},
		event.RecordRestored{RecordID: "r1", MapID: m.ID, PlayerID: bob.ID},
		event.RecordsHidden{PlayerID: "bob"},
		event.RecordsShown{PlayerID: "bob"},
		event.MapCreated{MapID: "m1", SubmittedByID: ann.ID, SupersededID: m.ID},
	} {
		require.NoError(t, b.PublishFact(t.Context(), newID(), broken))
	}
	b.tell(submitted(m, bob))
	if got := b.only(ann).Kind; got != "record_on_my_map" {
		t.Errorf("told of %q", got)
	}
}
