package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/notification"
)

func TestStore_Groups(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.applyMap(t, notification.Map{ID: forest, Version: 1, Name: "Forest", GameMapID: 7})
	f.apply(t, notification.Player{ID: ben, Version: 2, Name: "Ben", SkinImageURL: "/ben.png", SkinColor: "#00ff00"})
	onTower := lost(anna, cloe, 5)
	onTower.GroupID, onTower.MapID = tower, tower
	later := lost(anna, cloe, 2)
	later.From, later.To = 2, 4
	version := notification.Notification{
		ReceiverID: anna, Kind: notification.MapNewVersion, CauseID: forest, GroupID: forest, MapID: forest, At: minute(8),
	}
	decided := notification.Notification{
		ReceiverID: anna, Kind: notification.ReportDecided, CauseID: id(300), GroupID: id(301), At: minute(9),
	}
	decided.PlayerID, decided.Outcome = ben, notification.Outcome{Decision: "remove_record", PublicReason: "edited"}
	moderated := notification.Notification{
		ReceiverID: anna, Kind: notification.Moderated, CauseID: id(302), GroupID: id(301), DecisionID: id(302),
		At: minute(9),
	}
	again := moderated
	again.CauseID, again.DecisionID = id(303), id(303)
	f.add(t,
		lost(anna, ben, 1), later, // one group: 1, 2
		followed(anna, ben, 3), followed(anna, cloe, 4), // 3 and 4, of two players
		onTower, version, decided, // 5 to 7
		moderated, again, // one group: 8, 9
		regained(anna, ben, 10), // 10; the player of the removed record is no actor
		lost(ben, cloe, 6),      // of another player
	)
	theForest := &notification.Map{ID: forest, Name: "Forest"}
	shownBen := notification.Player{ID: ben, Name: "Ben", SkinImageURL: "/ben.png", SkinColor: "#00ff00"}
	shownCloe := notification.Player{ID: cloe, Name: "Cloe"}
	want := []notification.Group{
		{
			Newest: 10, Kind: notification.RecordRegained, Map: theForest, RecordID: record(10), FinishTime: 1010,
			OwnFinishTime: 2000, Count: 1, At: minute(10), RemovedSince: true, // its removal is not stored
		},
		{Newest: 9, Kind: notification.Moderated, DecisionID: id(303), Count: 2, At: minute(9)},
		{
			Newest: 7, Kind: notification.ReportDecided, Player: &shownBen, Outcome: decided.Outcome, Count: 1, At: minute(9),
		},
		{Newest: 6, Kind: notification.MapNewVersion, Map: theForest, Count: 1, At: minute(8)},
		{
			Newest: 5, Kind: notification.RecordLost, Map: &notification.Map{ID: tower}, RecordID: record(5),
			FinishTime: 1005, OwnFinishTime: 2000,
			From: 1, To: 2, Count: 1, Actors: []notification.Player{shownCloe}, ActorCount: 1, At: minute(5),
		}, {
			Newest: 4, Kind: notification.FollowedRecord, Map: theForest, RecordID: record(4), FinishTime: 1004, Count: 1,
			Actors: []notification.Player{shownCloe}, ActorCount: 1, At: minute(4),
		}, {
			Newest: 3, Kind: notification.FollowedRecord, Map: theForest, RecordID: record(3), FinishTime: 1003, Count: 1,
			Actors: []notification.Player{shownBen}, ActorCount: 1, At: minute(3),
		}, {
			Newest: 2, Kind: notification.RecordLost, Map: theForest, RecordID: record(2),
			FinishTime: 1002, OwnFinishTime: 2000, From: 1, To: 4,
			Count: 2, Actors: []notification.Player{shownCloe, shownBen}, ActorCount: 2, At: minute(2),
		},
	}
	require.Equal(t, "groups", want, f.groups(t, anna, notification.Page{}))
	if groups := f.groups(t, dora, notification.Page{}); len(groups) != 0 {
		t.Errorf("an empty inbox has %+v", groups)
	}
}

func TestStore_Groups_by_the_time_of_reading(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for n := 1; n <= 5; n += 2 {
		f.add(t, lost(anna, ben, n), lost(anna, ben, n+1))
		if n < 5 {
			f.readThrough(t, anna, int64(n+1), n)
		}
	}
	want := []notification.Group{lostGroup(6, 2, false), lostGroup(4, 2, true), lostGroup(2, 2, true)}
	require.Equal(t, "groups", want, f.groups(t, anna, notification.Page{}))
}

func TestStore_Groups_selects_a_page(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t, lost(anna, ben, 1), followed(anna, ben, 2), followed(anna, cloe, 3)) // 1 to 3
	f.readThrough(t, anna, 3, 60)
	f.add(t, lost(anna, ben, 4), followed(anna, ben, 5), lost(anna, ben, 6)) // 4 and 6, 5
	for _, tt := range []struct {
		page notification.Page
		want []int64
	}{
		{notification.Page{}, []int64{6, 5, 3, 2, 1}},
		{notification.Page{Limit: 2}, []int64{6, 5}},
		{notification.Page{Limit: 2, Before: 5}, []int64{3, 2}},
		{notification.Page{Limit: 2, Before: 2}, []int64{1}},
		{notification.Page{Before: 6}, []int64{5, 3, 2, 1}},
		{notification.Page{Before: 1}, nil},
		{notification.Page{Unread: true}, []int64{6, 5}},
		{notification.Page{Unread: true, Before: 6}, []int64{5}},
		{notification.Page{Kind: notification.FollowedRecord}, []int64{5, 3, 2}},
		{notification.Page{Kind: notification.FollowedRecord, Limit: 1, Before: 5}, []int64{3}},
		{notification.Page{Kind: notification.RecordLost, Unread: true}, []int64{6}},
		{notification.Page{Kind: notification.Passed}, nil},
	} {
		var got []int64
		for _, g := range f.groups(t, anna, tt.page) {
			got = append(got, g.Newest)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.page, diff)
		}
	}
}

func TestStore_Groups_names_few_actors(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const unknown = 99
	by := []string{emil, dora, ben, cloe, ben, id(unknown), ben}
	for i, player := range by {
		f.add(t, lost(anna, player, i+1))
	}
	want := lostGroup(7, len(by), false)
	want.Actors = []notification.Player{{ID: ben, Name: "Ben"}, {ID: id(unknown)}, {ID: cloe, Name: "Cloe"}}
	want.ActorCount = 5
	require.Equal(t, "groups", []notification.Group{want}, f.groups(t, anna, notification.Page{}))
}

// What is told of a map that was removed is marked, but what was decided about it.
func TestStore_Groups_of_a_removed_map(t *testing.T) {
	t.Parallel()
	f := setup(t)
	moderated := lost(anna, "", 3)
	moderated.Kind, moderated.CauseID = notification.Moderated, id(302)
	f.add(t, lost(anna, ben, 1), regained(anna, ben, 2), moderated)
	f.applyMap(t, notification.Map{ID: forest, Version: 9, Removed: true})
	for _, g := range f.groups(t, anna, notification.Page{}) {
		if g.RemovedSince != (g.Kind != notification.Moderated) {
			t.Errorf("%+v", g)
		}
	}
}

// lostGroup returns the group of records by Ben on the forest, up to the one with a number.
func lostGroup(newest, count int, read bool) notification.Group {
	return notification.Group{
		Newest: int64(newest), Kind: notification.RecordLost, Map: &notification.Map{ID: forest}, RecordID: record(newest),
		FinishTime: int64(1000 + newest), OwnFinishTime: 2000, From: 1, To: 2, Count: count, At: minute(newest), Read: read,
		Actors: []notification.Player{{ID: ben, Name: "Ben"}}, ActorCount: 1,
	}
}

// regained returns the notification that the receiver holds the record again because record n was removed.
func regained(receiver, by string, n int) notification.Notification {
	r := lost(receiver, by, n)
	r.Kind, r.From, r.To = notification.RecordRegained, 0, 0
	return r
}

func (f fixture) applyMap(tb testing.TB, m notification.Map) {
	tb.Helper()
	require.NoError(tb, f.ApplyMap(tb.Context(), m))
}

func (f fixture) readThrough(tb testing.TB, playerID string, number int64, atMinute int) {
	tb.Helper()
	require.NoError(tb, f.Read(tb.Context(), by(playerID), number, false, minute(atMinute)))
}

// What records have cost is added up in a group, in whichever order it and the notifications come, and goes along with
// a merge.
func TestStore_Groups_points_lost(t *testing.T) {
	t.Parallel()
	f := setup(t)
	cost := func(player string, n int, points int64) notification.PointsLost {
		return notification.PointsLost{PlayerID: player, RecordID: record(n), Points: points, At: minute(n)}
	}
	passed := lost(anna, cloe, 3)
	passed.Kind = notification.Passed
	f.addPointsLost(t, cost(anna, 1, 658), cost(anna, 4, 9), cost(ben, 1, 7))
	f.add(t, lost(anna, ben, 1), lost(anna, cloe, 2), passed, followed(anna, dora, 4))
	f.addPointsLost(t, cost(anna, 2, 346), cost(anna, 3, 10))
	f.addPointsLost(t, cost(anna, 2, 999)) // it is told once
	want := map[notification.Kind]int64{
		notification.RecordLost: 1004, notification.Passed: 10, notification.FollowedRecord: 0,
	}
	f.wantPointsLost(t, anna, want)

	f.merge(t, anna, emil)
	f.wantPointsLost(t, emil, want)
	f.add(t, lost(emil, cloe, 5))
	f.addPointsLost(t, cost(anna, 5, 20)) // computed before the merge was known
	want[notification.RecordLost] += 20
	f.wantPointsLost(t, emil, want)
}

func (f fixture) addPointsLost(tb testing.TB, all ...notification.PointsLost) {
	tb.Helper()
	require.NoError(tb, f.Apply(tb.Context(), notification.Effect{PointsLost: all}))
}

// wantPointsLost compares the sums of the groups of a player's inbox by their kinds.
func (f fixture) wantPointsLost(tb testing.TB, playerID string, want map[notification.Kind]int64) {
	tb.Helper()
	got := map[notification.Kind]int64{}
	for _, g := range f.groups(tb, playerID, notification.Page{}) {
		got[g.Kind] += g.PointsLost
	}
	require.Equal(tb, "lost points", want, got)
}

// Whatever the order in which facts arrive, the newest record and place of a group are those of the latest fact.
func TestStore_Groups_by_the_order_of_facts(t *testing.T) {
	t.Parallel()
	f := setup(t)
	var all []notification.Notification
	for i, by := range []string{ben, cloe, dora} { // from place 5 to 8, within one moment
		n := lost(anna, by, i+1)
		n.Kind, n.From, n.To, n.At = notification.Passed, 5+i, 6+i, minute(0)
		all = append(all, n)
	}
	for _, i := range []int{1, 2, 0} {
		effect := effectOf(all[i])
		effect.Sequence = uint64(100 + i)
		require.NoError(t, f.Apply(t.Context(), effect))
	}
	want := notification.Group{
		Newest: 3, Kind: notification.Passed, Map: &notification.Map{ID: forest}, RecordID: record(3), FinishTime: 1003,
		OwnFinishTime: 2000, From: 5, To: 8, Count: 3, ActorCount: 3, At: minute(0),
		Actors: []notification.Player{{ID: dora, Name: "Dora"}, {ID: cloe, Name: "Cloe"}, {ID: ben, Name: "Ben"}},
	}
	require.Equal(t, "groups", []notification.Group{want}, f.groups(t, anna, notification.Page{}))
}

// A record is gone when it is removed, its player is hidden, or its map is removed.
func TestStore_Groups_of_records_that_are_gone(t *testing.T) {
	t.Parallel()
	f := setup(t)
	report := lost(anna, ben, 1)
	report.Kind, report.CauseID, report.GroupID = notification.ReportDecided, id(300), record(1)
	f.add(t, report)
	for i, tt := range []struct {
		do   func()
		gone bool
	}{
		{func() {}, false},
		{func() { f.setRemoved(t, 1, true, minute(0)) }, true}, {func() { f.setRemoved(t, 1, false, minute(1)) }, false},
		{func() { f.setHidden(t, ben, true, minute(0)) }, true}, {func() { f.setHidden(t, ben, false, minute(1)) }, false},
		{func() { f.applyMap(t, notification.Map{ID: forest, Version: 9, Removed: true}) }, true},
	} {
		tt.do()
		if got := f.groups(t, anna, notification.Page{}); len(got) != 1 || got[0].RecordGone != tt.gone {
			t.Errorf("after change %d: %+v", i, got)
		}
	}
}
