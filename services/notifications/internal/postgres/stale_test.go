package postgres_test

import (
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/notification"
)

// A page that was loaded before a merge marks only what it has shown.
func TestStore_Read_with_a_number_from_before_a_merge(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
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
