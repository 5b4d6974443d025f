package postgres_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/notification"
)

func TestStore_Apply_numbers_notifications(t *testing.T) {
	t.Parallel()
	f := setup(t)
	first, second, third, fourth := lost(anna, ben, 1), lost(ben, cloe, 2), lost(anna, cloe, 3), lost(anna, ben, 4)
	f.add(t, first, second, third)
	f.add(t, fourth)
	f.wantStored(t, row(first, 1), row(third, 2), row(fourth, 3), row(second, 1))
}

// Who is banned, has switched the kind off, or made the record is not told, also where that is so after a merge.
func TestStore_Apply_leaves_out(t *testing.T) {
	t.Parallel()
	ban := func(t *testing.T, f fixture, player string) {
		t.Helper()
		f.apply(t, notification.Player{ID: player, Version: 2, Banned: true})
	}
	off := func(t *testing.T, f fixture, player string) {
		t.Helper()
		f.choose(t, player, notification.RecordLost, notification.Off)
	}
	type step = func(t *testing.T, f fixture, player string)
	for _, tt := range []struct {
		name   string
		do     step // with Dora
		merges [][2]string
	}{
		{"a banned receiver", ban, [][2]string{{anna, dora}}},
		{"a kind that is switched off", off, [][2]string{{anna, dora}}},
		{"a record of whom the receiver was merged into", nil, [][2]string{{anna, ben}}},
		{"a record of the receiver's merged account", nil, [][2]string{{ben, anna}}},
		{"a record of an account merged into the same player", nil, [][2]string{{ben, dora}, {anna, dora}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			if tt.do != nil {
				tt.do(t, f, dora)
				f.add(t, lost(dora, ben, 1))
			}
			for _, m := range tt.merges {
				f.merge(t, m[0], m[1])
			}
			f.add(t, lost(anna, ben, 1))
			f.wantStored(t)
			if got := f.facts(t); len(got) != 0 {
				t.Errorf("published %+v", got)
			}
		})
	}
}

func TestStore_Apply_follows_merges(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.merge(t, anna, ben)
	f.merge(t, ben, cloe)
	f.merge(t, emil, dora)
	f.add(t, followed(anna, emil, 1), followed(ben, emil, 2), lost(cloe, emil, 3))
	f.wantStored(t, row(followed(cloe, dora, 1), 1), row(followed(cloe, dora, 2), 2), row(lost(cloe, dora, 3), 3))
}

func TestStore_Apply_same_cause_twice(t *testing.T) {
	t.Parallel()
	f := setup(t)
	n := lost(anna, ben, 1)
	passed := n
	passed.Kind, passed.CauseID = notification.Passed, record(2)
	f.add(t, n)
	f.add(t, n, passed)
	f.add(t, n)
	f.wantStored(t, row(n, 1), row(passed, 2))
	want := []event.NotificationsAdded{
		{PlayerIDs: []string{anna}, Kind: "record_lost", At: minute(1)},
		{PlayerIDs: []string{anna}, Kind: "passed", At: minute(1)},
	}
	require.Equal(t, "facts", want, f.facts(t))
}

// A world record that is held again in between is lost, or held, a second time with the same cause. Facts may be
// repeated, and come in any order.
func TestStore_Apply_world_record_changes_again(t *testing.T) {
	t.Parallel()
	at := func(n notification.Notification, atMinute int) notification.Notification {
		n.At = minute(atMinute)
		return n
	}
	first := lost(anna, ben, 1)
	shown := first
	shown.CauseID, shown.RecordID, shown.FinishTime = event.DerivedID(ben, forest), "", 0
	for _, tt := range []struct {
		name string
		n    notification.Notification
	}{{"lost", first}, {"lost by showing", shown}, {"regained", regained(anna, ben, 1)}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.add(t, at(tt.n, 1))
			f.readThrough(t, anna, 1, 5)
			f.add(t, at(tt.n, 10))
			f.wantStored(t, row(tt.n, 2))
			f.add(t, at(tt.n, 1))
			f.readThrough(t, anna, 2, 11)
			f.add(t, at(tt.n, 10))
			want := row(tt.n, 2)
			want.Read = true
			f.wantStored(t, want)
			if got := len(f.facts(t)); got != 2 {
				t.Errorf("%d facts, want 2", got)
			}
		})
	}
}

// One call may have notifications for a player and for another who was merged into that player.
func TestStore_Apply_same_cause_twice_in_one_call(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.merge(t, anna, cloe)
	f.add(t, followed(anna, ben, 1), followed(cloe, ben, 1), followed(cloe, ben, 2))
	f.wantStored(t, row(followed(cloe, ben, 1), 1), row(followed(cloe, ben, 2), 2))
}

func TestStore_Apply_publishes(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t, lost(cloe, ben, 2), followed(anna, ben, 2), followed(dora, ben, 2), followed(anna, ben, 3))
	got := f.facts(t)
	slices.SortFunc(got, func(a, b event.NotificationsAdded) int { return strings.Compare(a.Kind, b.Kind) })
	want := []event.NotificationsAdded{
		{PlayerIDs: []string{anna, dora}, Kind: "followed_record", At: minute(2)},
		{PlayerIDs: []string{cloe}, Kind: "record_lost", At: minute(2)},
	}
	require.Equal(t, "facts", want, got)
}

func TestStore_Apply_to_many(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const count = event.MaxReceivers + 1
	var notifications []notification.Notification
	for i := range count {
		notifications = append(notifications, followed(id(5000+i), ben, 1))
	}
	f.add(t, notifications...)
	var named []int
	for _, fact := range f.facts(t) {
		named = append(named, len(fact.PlayerIDs))
	}
	require.Equal(t, "players of the facts", []int{event.MaxReceivers, 1}, named)
	if got := pgtest.Value[int](t, f.pool, "select count(*) from notifications where number = 1"); got != count {
		t.Errorf("%d notifications, want %d", got, count)
	}
}

func TestStore_Apply_trims(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t, lost(ben, anna, 1))
	f.fill(t, anna, notification.MaxInbox-1)
	f.wantNumbers(t, anna, 1, notification.MaxInbox-1)
	f.add(t, lost(anna, ben, 1), lost(anna, ben, 2), lost(anna, ben, 3))
	f.wantNumbers(t, anna, 3, notification.MaxInbox+2)
	f.wantNumbers(t, ben, 1, 1)
}

// fill adds unread notifications of different maps to an empty inbox.
func (f fixture) fill(tb testing.TB, playerID string, count int) {
	tb.Helper()
	pgtest.Exec(tb, f.pool, `
		insert into notifications (receiver_id, number, kind, cause_id, subject_id, at)
		select $1, n, 'passed', gen_random_uuid(), gen_random_uuid(), '2026-02-01'::timestamptz + n * interval '1 second'
		from generate_series(1, $2::int) n`, playerID, count)
	pgtest.Exec(tb, f.pool, `insert into inboxes values ($1, $2)`, playerID, count)
}

// wantNumbers fails the test unless an inbox has all numbers from first to last.
func (f fixture) wantNumbers(tb testing.TB, playerID string, first, last int) {
	tb.Helper()
	type numbers struct{ First, Last, Count int }
	got := pgtest.Rows[numbers](tb, f.pool, `
		select coalesce(min(number), 0) as first, coalesce(max(number), 0) as last, count(*) as count
		from notifications where receiver_id = $1`, playerID)
	if diff := cmp.Diff([]numbers{{first, last, last - first + 1}}, got); diff != "" {
		tb.Errorf("numbers of player %s (-want +got):\n%s", playerID, diff)
	}
}

// facts returns what was published, in its order.
func (f fixture) facts(tb testing.TB) (facts []event.NotificationsAdded) {
	tb.Helper()
	for _, m := range outboxtest.All(tb, f.pool) {
		require.Equal(tb, "the subject", event.NotificationsAdded{}.Subject(), m.Subject)
		facts = append(facts, outboxtest.Data[event.NotificationsAdded](tb, m))
	}
	return facts
}

// choose stores one setting.
func (f fixture) choose(tb testing.TB, playerID string, kind notification.Kind, delivery notification.Delivery) {
	tb.Helper()
	err := f.UpdateSettings(tb.Context(), by(playerID), []notification.Setting{{Kind: kind, Delivery: delivery}})
	require.NoError(tb, err)
}

// A record's fact names a player whose account was merged since, and that player follows by the account merged into.
func TestStore_Apply_one_notification_of_a_record(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.merge(t, anna, dora)
	first, weaker := lost(anna, ben, 1), followed(dora, ben, 1)
	for range 2 {
		err := f.Apply(t.Context(), effectOf(first, weaker))
		require.NoError(t, err)
	}
	first.ReceiverID = dora
	f.wantStored(t, row(first, 1))
}

// A receiver who has switched kinds off is told of a record by the next one.
func TestStore_Apply_the_first_kind_that_is_on(t *testing.T) {
	t.Parallel()
	f := setup(t)
	receivers := []string{ben, cloe, dora, emil}
	kinds := []notification.Kind{notification.RecordLost, notification.Passed, notification.FollowedRecord}
	var want []stored
	for off, receiver := range receivers { // have the first kinds off
		var all []notification.Notification
		for i, kind := range kinds {
			n := lost(receiver, anna, 1)
			n.Kind = kind
			if all = append(all, n); i < off {
				f.choose(t, receiver, kind, notification.Off)
			}
		}
		if f.add(t, all...); off < len(all) {
			want = append(want, row(all[off], 1))
		}
	}
	f.wantStored(t, want...)
	if got := f.facts(t); len(got) != len(want) {
		t.Errorf("%d facts, want %d", len(got), len(want))
	}
}
