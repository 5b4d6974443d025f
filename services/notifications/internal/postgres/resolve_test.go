package postgres_test

import (
	"context"
	"errors"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/services/notifications/internal/notification"
)

// A record's fact names a player whose account was merged since, and that player follows by the account merged into.
func TestStore_Apply_one_notification_of_a_record(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
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
	f := openWithPlayers(t)
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

func TestFollows_UnfollowMap_that_was_removed(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	follows := &notification.Follows{
		Store: f.Store,
		Players: lookup.NewPlayers(f.Store, func(context.Context, string) (event.PlayerState, error) {
			return event.PlayerState{}, notification.ErrPlayerUnknown
		}),
		Maps: lookup.NewMaps(f.Store, func(context.Context, string) (notification.Map, error) {
			return notification.Map{}, notification.ErrMapUnknown
		}),
	}
	version := notification.Map{ID: forest, Version: 1, Name: "Forest", GameMapID: 7}
	f.applyMap(t, version)
	by := access.Player(anna, "Anna", nil)
	require.NoError(t, follows.Follow(t.Context(), by, notification.FollowMap, forest))
	f.applyMap(t, notification.Map{ID: forest, Version: 2, Removed: true})
	err := follows.Follow(t.Context(), by, notification.FollowMap, forest)
	if !errors.Is(err, notification.ErrMapRemoved) {
		t.Errorf("a removed map is followed: %v", err)
	}
	require.NoError(t, follows.Unfollow(t.Context(), by, notification.FollowMap, forest))
	if ok, err := f.IsFollowing(t.Context(), anna, toMap(7)); ok || err != nil {
		t.Errorf("it is still followed: %t, %v", ok, err)
	}
	err = follows.Unfollow(t.Context(), by, notification.FollowMap, tower)
	if !errors.Is(err, notification.ErrMapUnknown) {
		t.Errorf("an unknown map: %v", err)
	}
}
