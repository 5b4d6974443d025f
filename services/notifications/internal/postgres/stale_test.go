package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/services/notifications/internal/notification"
)

// A page that was loaded before a merge marks only what it has shown.
func TestStore_ReadThrough_with_a_number_from_before_a_merge(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	f.add(t, lost(anna, cloe, 1), lost(anna, cloe, 2))
	f.add(t, lost(ben, cloe, 5)) // the page of ben shows number 1
	f.merge(t, anna, ben)
	f.readThrough(t, ben, 1, 60)
	unread, err := f.CountUnread(t.Context(), ben)
	if err != nil {
		t.Fatal(err)
	}
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

// A record is told to the followers of its player also when the player was merged since.
func TestStore_FollowersOfPlayer_of_a_merged_player(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	f.followPlayer(t, cloe, anna)
	f.merge(t, anna, ben)
	for _, player := range []string{anna, ben} {
		got, err := f.FollowersOfPlayer(t.Context(), player)
		if diff := cmp.Diff([]string{cloe}, got); diff != "" || err != nil {
			t.Errorf("followers of %s: %v (-want +got):\n%s", player, err, diff)
		}
	}
}
