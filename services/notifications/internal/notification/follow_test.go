package notification_test

import (
	"errors"
	"testing"

	"capzone.dev/services/notifications/internal/notification"
)

func TestFollower_CheckFollow(t *testing.T) {
	t.Parallel()
	of := func(count int, isFollowing, isDeleted bool) notification.Follower {
		return notification.Follower{ID: ann, Count: count, IsFollowing: isFollowing, IsDeleted: isDeleted}
	}
	player, own := notification.Followed{PlayerID: bob}, notification.Followed{PlayerID: ann}
	m := notification.Followed{Kind: notification.FollowMap, GameMapID: 7}
	for _, tt := range []struct {
		name     string
		follower notification.Follower
		to       notification.Followed
		want     error
	}{
		{"a player", of(0, false, false), player, nil},
		{"the last map", of(notification.MaxFollows-1, false, false), m, nil},
		{"one too many", of(notification.MaxFollows, false, false), m, notification.ErrFollowsFull},
		{"one that is followed already", of(notification.MaxFollows, true, false), player, nil},
		{"oneself", of(0, false, false), own, notification.ErrFollowSelf},
		{"a player whose account was deleted", of(0, false, true), player, notification.ErrPlayerUnknown},
	} {
		if err := tt.follower.CheckFollow(tt.to); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}
