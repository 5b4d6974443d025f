package postgres_test

import (
	"errors"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/services/notifications/internal/notification"
)

// deleted is the state of a player whose account was deleted.
func deleted(playerID string) notification.Player {
	return notification.Player{ID: playerID, Version: 3, Name: "deleted player 3f2a", Deleted: true}
}

func TestStore_ApplyPlayer_deleted(t *testing.T) {
	t.Parallel()
	f := setup(t)
	lostOff := []notification.Setting{{Kind: notification.RecordLost, Delivery: notification.Off}}
	for _, player := range []string{anna, ben} {
		f.followPlayer(t, player, cloe)
		f.followMap(t, player, 7)
		f.add(t, lost(player, cloe, 1))
		require.NoError(t, f.UpdateSettings(t.Context(), by(player), lostOff))
	}
	f.followPlayer(t, cloe, anna)
	f.add(t, lost(cloe, anna, 2))
	for range 2 { // a message may come twice
		f.apply(t, deleted(anna))
	}
	// What comes later is refused, or added for nobody.
	f.add(t, lost(anna, cloe, 3))
	f.addPointsLost(t, notification.PointsLost{PlayerID: anna, RecordID: record(3), Points: 7, At: minute(3)})
	if rows := pgtest.Value[int](t, f.pool, "select count(*) from points_lost"); rows != 0 {
		t.Errorf("%d rows of points lost by a deleted player", rows)
	}
	// The state of a player may come after the request to follow was checked.
	if err := f.Follow(t.Context(), by(ben), toPlayer(anna), minute(0)); !errors.Is(err, notification.ErrPlayerUnknown) {
		t.Errorf("follow the player: %v", err)
	}
	for name, err := range map[string]error{
		"follow a player": f.Follow(t.Context(), by(anna), toPlayer(ben), minute(0)),
		"follow a map":    f.Follow(t.Context(), by(anna), toMap(8), minute(0)),
		"settings":        f.UpdateSettings(t.Context(), by(anna), lostOff),
	} {
		if !errors.Is(err, access.ErrDeleted) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.wantPlayerFollows(t, playerFollow{ben, cloe})
	f.wantMapFollows(t, mapFollow{ben, 7})
	f.wantStored(t, row(lost(ben, cloe, 1), 1), row(lost(cloe, anna, 2), 1))
	f.wantSettings(t, anna)
	f.wantSettings(t, ben, lostOff...)
}

// The tombstone of a player may come after the deletion of whom the player was merged into.
func TestStore_ApplyPlayer_merged_into_a_deleted_player(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.followPlayer(t, anna, cloe)
	f.followPlayer(t, cloe, anna)
	f.add(t, lost(anna, cloe, 1))
	f.apply(t, deleted(ben))
	f.merge(t, anna, ben)
	f.addPointsLost(t, notification.PointsLost{PlayerID: anna, RecordID: record(3), Points: 7, At: minute(3)})
	if rows := pgtest.Value[int](t, f.pool, "select count(*) from points_lost"); rows != 0 {
		t.Errorf("%d rows of points lost by a deleted player", rows)
	}
	f.wantPlayerFollows(t)
	f.wantStored(t)
}
