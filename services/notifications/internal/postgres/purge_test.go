package postgres_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

// Notifications are kept for 90 days after they were added, and removals for 31 days more.
func TestStore_PurgeNotifications(t *testing.T) {
	t.Parallel()
	f := setup(t)
	now := minute(0)
	f.add(t, lost(anna, ben, 1), lost(anna, ben, 2), lost(ben, cloe, 3), lost(ben, cloe, 4))
	for i, age := range []time.Duration{notification.KeptFor + time.Second, notification.KeptFor, time.Hour, 200 * day} {
		pgtest.Exec(t, f.pool, `update notifications set created_at = $1 where cause_id = $2`, now.Add(-age), record(i+1))
	}
	for i, age := range []time.Duration{122 * day, 121 * day, 91 * day, 0} {
		f.setRemoved(t, i+1, true, now.Add(-age))
	}
	f.setHidden(t, dora, true, now.Add(-1000*day))
	f.followPlayer(t, anna, ben)
	f.addPointsLost(t, notification.PointsLost{PlayerID: anna, RecordID: record(1), Points: 1, At: now.Add(-122 * day)},
		notification.PointsLost{PlayerID: anna, RecordID: record(2), Points: 1, At: now.Add(-121 * day)})
	f.wantPurged(t, now, 4)
	f.wantPurged(t, now, 0)
	f.wantStored(t, row(lost(anna, ben, 2), 2), row(lost(ben, cloe, 3), 1))
	type removal struct{ Record string }
	left := pgtest.Rows[removal](t, f.pool, `select record_id::text as record from removals order by 1`)
	require.Equal(t, "removals", []removal{{record(2)}, {record(3)}, {record(4)}}, left)
	if hidden := pgtest.Value[int](t, f.pool, `select count(*) from hidden_players`); hidden != 1 {
		t.Error("that a player is hidden was forgotten")
	}
	if points := pgtest.Value[int](t, f.pool, `select count(*) from points_lost`); points != 1 {
		t.Errorf("%d rows of lost points are left, want 1", points)
	}
	f.wantPlayerFollows(t, playerFollow{anna, ben})
	f.add(t, lost(anna, ben, 5), lost(ben, cloe, 6))
	f.wantStored(t, row(lost(anna, ben, 2), 2), row(lost(anna, ben, 5), 3), row(lost(ben, cloe, 3), 1),
		row(lost(ben, cloe, 6), 3))
}

func TestStore_PurgeNotifications_of_many(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const most = 1000 // of one statement
	for i := range 3 {
		f.fill(t, id(i+1), most-100)
	}
	yearAgo := minute(0).Add(-365 * day)
	pgtest.Exec(t, f.pool, `update notifications set created_at = $1`, yearAgo)
	pgtest.Exec(t, f.pool, `
		insert into removals select gen_random_uuid(), true, $2 from generate_series(1, $1)`, most+1, yearAgo)
	f.add(t, lost(anna, ben, 1))
	f.wantPurged(t, minute(0), 3*(most-100)+most+1)
	f.wantStored(t, row(lost(anna, ben, 1), most-99))
}

const day = 24 * time.Hour

func (f fixture) wantPurged(tb testing.TB, now time.Time, want int) {
	tb.Helper()
	notifications, err := f.PurgeNotifications(tb.Context(), now)
	require.NoError(tb, err)
	if removals, err := f.PurgeRemovals(tb.Context(), now); err != nil || notifications+removals != want {
		tb.Errorf("purged %d and %d rows (%v), want %d", notifications, removals, err, want)
	}
}

func TestStore_PurgeDeliveries(t *testing.T) {
	t.Parallel()
	f := setup(t)
	hook := f.hook(t, anna, 1, webhook.JSON, allRecords)
	now := minute(0).Add(40 * day)
	fill := func(first, count int, at time.Time, waits bool) {
		pgtest.Exec(t, f.pool, `
			insert into webhook_deliveries (webhook_id, id, type, body, state, created_at, next_try_at)
			select $1, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'record', '{}', 'waiting',
				$4::timestamptz + n * interval '1 millisecond', case when $5 then $4::timestamptz end
			from generate_series($2::int, $2::int + $3::int - 1) n`, hook, first, count, at, waits)
	}
	fill(1001, 5, now.Add(-31*day), false)
	fill(1, 300, now.Add(-time.Hour), false)
	if deleted, err := f.PurgeDeliveries(t.Context(), now); err != nil || deleted != 205 {
		t.Errorf("deleted %d rows (%v), want those above 100", deleted, err)
	}
	fill(2001, webhook.MaxWaiting+7, now, true)
	pgtest.Exec(t, f.pool, "update webhooks set due_at = $1", now)
	_, err := f.PurgeDeliveries(t.Context(), now)
	require.NoError(t, err)
	for sql, want := range map[string]int{
		"select count(*) from webhook_deliveries where next_try_at is not null": webhook.MaxWaiting,
		"select count(*) from webhook_deliveries where failure = 'dropped'":     0, // they are not among the newest 100
		"select count(*) from webhook_deliveries where next_try_at is null":     0,
	} {
		if got := pgtest.Value[int](t, f.pool, sql); got != want {
			t.Errorf("%s: %d, want %d", sql, got, want)
		}
	}
	deliveries, err := f.Deliveries(t.Context(), hook)
	if err != nil || len(deliveries) != webhook.MaxShown {
		t.Errorf("%d deliveries are listed, %v", len(deliveries), err)
	}
}
