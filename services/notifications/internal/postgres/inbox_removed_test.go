package postgres_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/notification"
)

func TestStore_Groups_RemovedSince(t *testing.T) {
	t.Parallel()
	type step = func(t *testing.T, f fixture)
	add := func(notifications ...notification.Notification) step {
		return func(t *testing.T, f fixture) { t.Helper(); f.add(t, notifications...) }
	}
	removed := func(n int, is bool, atMinute int) step {
		return func(t *testing.T, f fixture) { t.Helper(); f.setRemoved(t, n, is, minute(atMinute)) }
	}
	hidden := func(playerID string, is bool, atMinute int) step {
		return func(t *testing.T, f fixture) { t.Helper(); f.setHidden(t, playerID, is, minute(atMinute)) }
	}
	first, second := add(lost(anna, ben, 1)), add(lost(anna, cloe, 2))
	ofHiding := regained(anna, ben, 1)
	ofHiding.CauseID = id(400)
	for _, tt := range []struct {
		name  string
		steps []step
		want  []bool // of the groups, the newest first
	}{
		{"nothing", []step{first}, []bool{false}},
		{"the record", []step{first, removed(1, true, 10)}, []bool{true}},
		{"another record", []step{first, removed(2, true, 10)}, []bool{false}},
		{"one of two records", []step{first, second, removed(1, true, 10)}, []bool{false}},
		{"both records", []step{first, second, removed(1, true, 10), removed(2, true, 11)}, []bool{true}},
		{"the record, which is restored", []step{first, removed(1, true, 10), removed(1, false, 11)}, []bool{false}},
		{
			"the record, restored and removed again",
			[]step{first, removed(1, true, 10), removed(1, false, 11), removed(1, true, 12)},
			[]bool{true},
		},
		{"the record before the notification is added", []step{removed(1, true, 10), first}, []bool{true}},
		{"an older removal that arrives late", []step{first, removed(1, false, 11), removed(1, true, 10)}, []bool{false}},
		{"an older restoration that arrives late", []step{first, removed(1, true, 11), removed(1, false, 10)}, []bool{true}},
		{"the same change twice", []step{first, removed(1, true, 10), removed(1, true, 10)}, []bool{true}},
		{"the player's records", []step{first, hidden(ben, true, 10)}, []bool{true}},
		{"another player's records", []step{first, hidden(cloe, true, 10)}, []bool{false}},
		{"one of two players' records", []step{first, second, hidden(ben, true, 10)}, []bool{false}},
		{"a record, and another player's", []step{first, second, removed(1, true, 9), hidden(cloe, true, 10)}, []bool{true}},
		{"the player's records before", []step{hidden(ben, true, 10), first}, []bool{true}},
		{"the player's records, now shown", []step{first, hidden(ben, true, 10), hidden(ben, false, 11)}, []bool{false}},
		{"an older hiding that arrives late", []step{first, hidden(ben, false, 11), hidden(ben, true, 10)}, []bool{false}},
		{"the record, still removed when shown", []step{
			first, removed(1, true, 9), hidden(ben, true, 10), hidden(ben, false, 11),
		}, []bool{true}},
		{"regained", []step{removed(2, true, 10), add(regained(anna, cloe, 2))}, []bool{false}},
		{"regained, until the restoration", []step{
			removed(1, true, 10), add(regained(anna, ben, 1)), removed(1, false, 11),
		}, []bool{true}},
		{"regained by hiding", []step{hidden(ben, true, 10), add(ofHiding)}, []bool{false}},
		{"regained by hiding, until shown", []step{
			hidden(ben, true, 10), add(ofHiding), hidden(ben, false, 11),
		}, []bool{true}},
		{"lost and regained", []step{first, removed(1, true, 10), add(regained(anna, ben, 1))}, []bool{false, true}},
		{"no record", []step{
			add(notification.Notification{
				ReceiverID: anna, Kind: notification.MapNewVersion, CauseID: forest, GroupID: forest, MapID: forest,
			}), hidden(ben, true, 10),
		}, []bool{false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			for _, do := range tt.steps {
				do(t, f)
			}
			var got []bool
			for _, g := range f.groups(t, anna, notification.Page{}) {
				got = append(got, g.RemovedSince)
			}
			require.Equal(t, "removed since", tt.want, got)
		})
	}
}

// setRemoved says whether record n is removed.
func (f fixture) setRemoved(tb testing.TB, n int, is bool, at time.Time) {
	tb.Helper()
	removals := []notification.Removal{{ID: record(n), Removed: is, At: at}}
	require.NoError(tb, f.Apply(tb.Context(), notification.Effect{Causes: removals}))
}

// setHidden says whether the records of a player are hidden.
func (f fixture) setHidden(tb testing.TB, playerID string, is bool, at time.Time) {
	tb.Helper()
	hidden := &notification.Removal{ID: playerID, Removed: is, At: at}
	require.NoError(tb, f.Apply(tb.Context(), notification.Effect{Player: hidden}))
}
