package postgres_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/notification"
)

// Notifications are kept for 90 days after they were added, and removals for 31 days more.
func TestStore_Purge(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
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

func TestStore_Purge_of_many(t *testing.T) {
	t.Parallel()
	f := open(t)
	const most = 1000 // of one statement
	for i := range 3 {
		f.fill(t, id(i+1), most-100)
	}
	pgtest.Exec(t, f.pool, `update notifications set created_at = now() - interval '1 year'`)
	pgtest.Exec(t, f.pool, `
		insert into removals select gen_random_uuid(), true, now() - interval '1 year' from generate_series(1, $1)`, most+1)
	f.add(t, lost(anna, ben, 1))
	f.wantPurged(t, time.Now(), 3*(most-100)+most+1)
	f.wantStored(t, row(lost(anna, ben, 1), most-99))
}

const day = 24 * time.Hour

func (f fixture) wantPurged(tb testing.TB, now time.Time, want int) {
	tb.Helper()
	if got, err := f.Purge(tb.Context(), now); err != nil || got != want {
		tb.Errorf("purged %d rows (%v), want %d", got, err, want)
	}
}
