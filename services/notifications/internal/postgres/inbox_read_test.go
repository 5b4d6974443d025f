package postgres_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/notification"
)

func TestStore_Read(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t, lost(anna, ben, 1), followed(anna, ben, 2), lost(anna, ben, 3), lost(ben, cloe, 4))
	f.wantUnread(t, anna, 2)
	f.readThrough(t, anna, 2, 60)
	f.wantStored(t, read(row(lost(anna, ben, 1), 1)), read(row(followed(anna, ben, 2), 2)), row(lost(anna, ben, 3), 3),
		row(lost(ben, cloe, 4), 1))
	f.wantUnread(t, anna, 1)
	f.readThrough(t, anna, 3, 61)
	f.wantUnread(t, anna, 0)
	f.wantUnread(t, ben, 1)
	type at struct{ Minute int }
	got := pgtest.Rows[at](t, f.pool, `
		select extract(minute from read_at at time zone 'utc')::int as minute
		from notifications where receiver_id = $1 order by number`, anna)
	require.Equal(t, "what is read keeps its time", []at{{0}, {0}, {1}}, got)
}

// A number that was not given is of no notification that its reader has seen.
func TestStore_read_unknown(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t, lost(anna, ben, 1), lost(anna, ben, 2), lost(ben, cloe, 3))
	for _, tt := range []struct {
		player string
		number int64
	}{{anna, 3}, {anna, math.MaxInt64}, {ben, 2}, {cloe, 1}, {id(99), 1}} {
		for name, err := range map[string]error{
			"ReadThrough": f.Read(t.Context(), by(tt.player), tt.number, false, minute(60)),
			"ReadGroup":   f.Read(t.Context(), by(tt.player), tt.number, true, minute(60)),
		} {
			if !errors.Is(err, notification.ErrUnknown) {
				t.Errorf("%s(%s, %d) returned %v", name, tt.player, tt.number, err)
			}
		}
	}
	f.add(t, lost(anna, ben, 4)) // has the number that was unknown
	f.wantStored(t, row(lost(anna, ben, 1), 1), row(lost(anna, ben, 2), 2), row(lost(anna, ben, 4), 3),
		row(lost(ben, cloe, 3), 1))
}

func TestStore_Read_what_was_deleted_since(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t, lost(anna, ben, 1), lost(anna, ben, 2))
	pgtest.Exec(t, f.pool, `delete from notifications where number = 2`)
	for range 2 { // again changes nothing
		f.readThrough(t, anna, 2, 60)
		f.wantStored(t, read(row(lost(anna, ben, 1), 1)))
	}
}

// Notifications become visible in the order of their numbers, so that nothing is read that was not shown.
func TestStore_Apply_at_once(t *testing.T) {
	t.Parallel()
	f := setup(t)
	first, second := lost(anna, ben, 1), lost(anna, ben, 2)
	require.NoError(t, f.waits(t,
		func(f fixture) error { return f.Apply(t.Context(), effectOf(first)) },
		func() error { return f.Apply(t.Context(), effectOf(second)) }))
	f.wantStored(t, row(first, 1), row(second, 2))
}

func TestStore_Read_group(t *testing.T) {
	t.Parallel()
	f := setup(t)
	onTower := lost(anna, ben, 3)
	onTower.GroupID, onTower.MapID = tower, tower
	passed := lost(anna, ben, 2)
	passed.Kind = notification.Passed
	f.add(t, lost(anna, ben, 1), passed, onTower, lost(anna, cloe, 4), lost(anna, ben, 5), lost(ben, cloe, 6))
	want := []stored{
		read(row(lost(anna, ben, 1), 1)), row(passed, 2), row(onTower, 3), read(row(lost(anna, cloe, 4), 4)),
		row(lost(anna, ben, 5), 5), row(lost(ben, cloe, 6), 1),
	}
	for range 2 { // again changes nothing
		require.NoError(t, f.Read(t.Context(), by(anna), 4, true, minute(60)))
		f.wantStored(t, want...)
	}
	f.wantUnread(t, anna, 3)
}

func TestStore_Settings(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.wantSettings(t, anna)
	lostOff := notification.Setting{Kind: notification.RecordLost, Delivery: notification.Off}
	passed := notification.Setting{Kind: notification.Passed, Delivery: notification.InBrowser}
	update := func(settings ...notification.Setting) {
		t.Helper()
		require.NoError(t, f.UpdateSettings(t.Context(), by(anna), settings))
	}
	update()
	f.wantSettings(t, anna)
	update(lostOff, passed)
	f.wantSettings(t, anna, passed, lostOff)
	lostOff.Delivery = notification.InInbox
	update(lostOff)
	f.wantSettings(t, anna, passed, lostOff)
	f.wantSettings(t, ben)
}

// A page that was loaded before a merge marks only what it has shown.
func TestStore_Read_with_a_number_from_before_a_merge(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t, lost(anna, cloe, 1), lost(anna, cloe, 2))
	f.add(t, lost(ben, cloe, 5)) // the page of ben shows number 1
	f.merge(t, anna, ben)
	f.readThrough(t, ben, 1, 60)
	unread, err := f.CountUnread(t.Context(), ben)
	require.NoError(t, err)
	var read int
	for _, g := range f.groups(t, ben, notification.Page{}) {
		if g.Read {
			read += g.Count
		}
	}
	if unread != 1 || read != 0 {
		t.Errorf("%d notifications that no page has shown are read, %d groups are unread", read, unread)
	}
}

func read(s stored) stored {
	s.Read = true
	return s
}

func (f fixture) wantUnread(tb testing.TB, playerID string, want int) {
	tb.Helper()
	if got, err := f.CountUnread(tb.Context(), playerID); err != nil || got != want {
		tb.Errorf("player %s has %d unread groups (%v), want %d", playerID, got, err, want)
	}
}

func (f fixture) wantSettings(tb testing.TB, playerID string, want ...notification.Setting) {
	tb.Helper()
	got, err := f.Settings(tb.Context(), playerID)
	require.NoError(tb, err)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Errorf("settings of player %s (-want +got):\n%s", playerID, diff)
	}
}
