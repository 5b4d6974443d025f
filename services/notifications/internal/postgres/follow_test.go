package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/services/notifications/internal/notification"
)

func TestStore_follows(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for range 2 { // again changes nothing
		f.followPlayer(t, cloe, anna)
		f.followPlayer(t, ben, anna)
		f.followPlayer(t, ben, dora)
		f.followMap(t, dora, 7)
		f.followMap(t, ben, 7)
		f.followMap(t, anna, 8)
	}
	for _, tt := range []struct {
		name string
		list func(ctx context.Context, playerID string) ([]string, error)
		id   string
		want []string
	}{
		{"followers of Anna", f.FollowersOfPlayer, anna, []string{ben, cloe}},
		{"followers of Ben", f.FollowersOfPlayer, ben, nil},
		{"whom Ben follows", f.FollowedPlayers, ben, []string{anna, dora}},
		{"whom Anna follows", f.FollowedPlayers, anna, nil},
	} {
		got, err := tt.list(t.Context(), tt.id)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
	for gameMapID, want := range map[int64][]string{7: {ben, dora}, 8: {anna}, 9: nil} {
		got, err := f.FollowersOfMap(t.Context(), gameMapID)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("followers of map %d: %v (-want +got):\n%s", gameMapID, err, diff)
		}
	}
	for range 2 {
		require.NoError(t, f.Unfollow(t.Context(), by(ben), toPlayer(anna)))
		require.NoError(t, f.Unfollow(t.Context(), by(dora), toMap(7)))
		f.wantPlayerFollows(t, playerFollow{ben, dora}, playerFollow{cloe, anna})
		f.wantMapFollows(t, mapFollow{anna, 8}, mapFollow{ben, 7})
	}
	for player, want := range map[string]bool{anna: false, dora: true} {
		if got, err := f.IsFollowing(t.Context(), ben, toPlayer(player)); err != nil || got != want {
			t.Errorf("Ben follows %s: %v, %v", player, got, err)
		}
	}
	for gameMapID, want := range map[int64]bool{7: true, 8: false} {
		if got, err := f.IsFollowing(t.Context(), ben, toMap(gameMapID)); err != nil || got != want {
			t.Errorf("Ben follows map %d: %v, %v", gameMapID, got, err)
		}
	}
}

// Follows at once are counted. One that is there already is none more.
func TestStore_follow_limit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fillSQL string
		follow  func(f fixture, n int) error
	}{
		"players": {
			"insert into player_follows select $1, gen_random_uuid() from generate_series(2, $2::int)",
			func(f fixture, n int) error { return f.Follow(t.Context(), by(anna), toPlayer(id(5000+n)), minute(0)) },
		},
		"maps": {
			"insert into map_follows select $1, n from generate_series(2, $2::int) n",
			func(f fixture, n int) error { return f.Follow(t.Context(), by(anna), toMap(int64(5000+n)), minute(0)) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			pgtest.Exec(t, f.pool, tt.fillSQL, anna, notification.MaxFollows)
			pgtest.Exec(t, f.pool, tt.fillSQL, ben, notification.MaxFollows)
			last := func(f fixture) error { return tt.follow(f, 1) }
			if err := f.waits(t, last, func() error { return tt.follow(f, 2) }); !errors.Is(err, notification.ErrFollowsFull) {
				t.Errorf("one too many: %v", err)
			}
			require.NoError(t, last(f))
		})
	}
}

func TestStore_Following(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.apply(t, notification.Player{ID: emil, Version: 2, Name: "bert", SkinImageURL: "/e.png", SkinColor: "#00ff00"})
	for _, player := range []string{dora, emil, ben, cloe} {
		f.followPlayer(t, anna, player)
	}
	old := notification.Map{ID: id(110), Version: 1, Name: "Old zoo", GameMapID: 1, AuthorID: dora, Superseded: true}
	newest := notification.Map{ID: id(111), Version: 1, Name: "zoo", GameMapID: 1, AuthorID: dora}
	placeholder := notification.Map{ID: id(112), Version: 1, Name: "Alps", GameMapID: 2}
	gone := notification.Map{ID: id(113), Version: 1, Name: "Gone", GameMapID: 3, AuthorID: dora}
	notFollowed := notification.Map{ID: id(114), Version: 1, Name: "Other", GameMapID: 4}
	middle := notification.Map{ID: id(115), Version: 1, Name: "Middle", GameMapID: 5}
	for _, m := range []notification.Map{newest, old, placeholder, gone, notFollowed, middle} {
		f.applyMap(t, m)
		if m != notFollowed {
			f.followMap(t, anna, m.GameMapID)
		}
	}
	f.applyMap(t, notification.Map{ID: gone.ID, Version: 2, Removed: true})
	f.followMap(t, anna, 99) // a map without a copy
	want := notification.Following{
		Players: []notification.Player{
			{ID: ben, Name: "Ben"}, {ID: emil, Name: "bert", SkinImageURL: "/e.png", SkinColor: "#00ff00"},
			{ID: cloe, Name: "Cloe"}, {ID: dora, Name: "Dora"},
		},
		Maps: []notification.Map{placeholder, middle, newest},
	}
	f.wantFollowing(t, anna, want)
	f.wantFollowing(t, ben, notification.Following{})

	// A newer version, and a removed map that is restored.
	old.Version, newest.Version = 2, 2
	newest.Superseded = true
	version3 := notification.Map{ID: id(116), Version: 1, Name: "Zoo 3", GameMapID: 1}
	gone.Version = 3
	for _, m := range []notification.Map{version3, newest, old, gone} {
		f.applyMap(t, m)
	}
	want.Maps = []notification.Map{placeholder, gone, middle, version3}
	f.wantFollowing(t, anna, want)
}

// Between the states of a new version and of the one before, both are the newest.
func TestStore_Following_lists_a_map_once(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.followMap(t, anna, 1)
	newer := notification.Map{ID: id(111), Version: 1, Name: "Zoo 2", GameMapID: 1}
	f.applyMap(t, newer)
	f.applyMap(t, notification.Map{ID: id(110), Version: 1, Name: "Zoo", GameMapID: 1})
	f.wantFollowing(t, anna, notification.Following{Maps: []notification.Map{newer}})
}

func TestFollows_Unfollow_map_that_was_removed(t *testing.T) {
	t.Parallel()
	f := setup(t)
	follows := &notification.Follows{
		Store: f.Store,
		Players: lookup.NewPlayers(f.Store, func(context.Context, string) (event.PlayerState, error) {
			return event.PlayerState{}, notification.ErrPlayerUnknown
		}),
		Maps: lookup.NewMaps(f.Store, func(context.Context, string) (notification.Map, error) {
			return notification.Map{}, notification.ErrMapUnknown
		}),
		Now: func() time.Time { return minute(0) },
	}
	version := notification.Map{ID: forest, Version: 1, Name: "Forest", GameMapID: 7}
	f.applyMap(t, version)
	require.NoError(t, follows.Follow(t.Context(), by(anna), notification.FollowMap, forest))
	f.applyMap(t, notification.Map{ID: forest, Version: 2, Removed: true})
	err := follows.Follow(t.Context(), by(anna), notification.FollowMap, forest)
	if !errors.Is(err, notification.ErrMapRemoved) {
		t.Errorf("a removed map is followed: %v", err)
	}
	require.NoError(t, follows.Unfollow(t.Context(), by(anna), notification.FollowMap, forest))
	if ok, err := f.IsFollowing(t.Context(), anna, toMap(7)); ok || err != nil {
		t.Errorf("it is still followed: %t, %v", ok, err)
	}
	err = follows.Unfollow(t.Context(), by(anna), notification.FollowMap, tower)
	if !errors.Is(err, notification.ErrMapUnknown) {
		t.Errorf("an unknown map: %v", err)
	}
}

func toPlayer(id string) notification.Followed {
	return notification.Followed{Kind: notification.FollowPlayer, PlayerID: id}
}

func toMap(gameMapID int64) notification.Followed {
	return notification.Followed{Kind: notification.FollowMap, GameMapID: gameMapID}
}

func (f fixture) followPlayer(tb testing.TB, follower, player string) {
	tb.Helper()
	require.NoError(tb, f.Follow(tb.Context(), by(follower), toPlayer(player), minute(0)))
}

func (f fixture) followMap(tb testing.TB, follower string, gameMapID int64) {
	tb.Helper()
	require.NoError(tb, f.Follow(tb.Context(), by(follower), toMap(gameMapID), minute(0)))
}

type (
	playerFollow struct{ Follower, Player string }
	mapFollow    struct {
		Follower string
		Map      int64
	}
)

// wantPlayerFollows compares all follows of players.
func (f fixture) wantPlayerFollows(tb testing.TB, want ...playerFollow) {
	tb.Helper()
	got := pgtest.Rows[playerFollow](tb, f.pool, `
		select follower_id::text as follower, player_id::text as player from player_follows order by 1, 2`)
	require.Equal(tb, "follows of players", want, got, cmpopts.EquateEmpty())
}

// wantMapFollows compares all follows of maps.
func (f fixture) wantMapFollows(tb testing.TB, want ...mapFollow) {
	tb.Helper()
	got := pgtest.Rows[mapFollow](tb, f.pool, `
		select follower_id::text as follower, game_map_id as map from map_follows order by 1, 2`)
	require.Equal(tb, "follows of maps", want, got, cmpopts.EquateEmpty())
}

func (f fixture) wantFollowing(tb testing.TB, follower string, want notification.Following) {
	tb.Helper()
	got, err := f.Following(tb.Context(), follower)
	require.NoError(tb, err)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Errorf("player %s follows (-want +got):\n%s", follower, diff)
	}
}
