package notification

import (
	"context"
	"errors"

	"capzone.dev/platform/access"
)

// MaxFollows is how many players, and how many maps, a player follows at most. After a merge the oldest follows are
// left.
const MaxFollows = 500

// Following is whom and what a player follows, in the order of their names. Maps are in their newest versions.
type Following struct {
	Players []Player
	Maps    []Map
}

// FollowStore stores whom and what players follow.
type FollowStore interface {
	// Following returns whom and what a player follows.
	Following(ctx context.Context, followerID string) (Following, error)
	// FollowedPlayers returns the ids of the players whom a player follows.
	FollowedPlayers(ctx context.Context, followerID string) ([]string, error)
	// FollowsPlayer and FollowsMap report whether a player follows another, and a map by the game's id.
	FollowsPlayer(ctx context.Context, followerID, playerID string) (bool, error)
	FollowsMap(ctx context.Context, followerID string, gameMapID int64) (bool, error)
	// The methods that change follows do so for whom the follower was merged into. FollowPlayer and FollowMap return
	// ErrFollowsFull for one more than MaxFollows. FollowPlayer returns ErrFollowSelf for players who were merged, and
	// ErrPlayerUnknown for a player whose account was deleted.
	FollowPlayer(ctx context.Context, followerID, playerID string) error
	FollowMap(ctx context.Context, followerID string, gameMapID int64) error
	UnfollowPlayer(ctx context.Context, followerID, playerID string) error
	UnfollowMap(ctx context.Context, followerID string, gameMapID int64) error
}

// Follows changes and answers whom and what players follow.
//
// Its methods return access.ErrForbidden for a banned player, ErrPlayerUnknown, for a map ErrMapUnknown or
// ErrMapRemoved, or a problem of kind unavailable.
type Follows struct {
	Store   FollowStore
	Players Players
	Maps    Maps
}

// List returns whom and what the actor follows.
func (f *Follows) List(ctx context.Context, by access.Actor) (Following, error) {
	follower, err := Authorize(ctx, by, access.Follow, f.Players)
	if err != nil {
		return Following{}, err
	}
	return f.Store.Following(ctx, follower)
}

// FollowsPlayer reports whether the actor follows a player.
func (f *Follows) FollowsPlayer(ctx context.Context, by access.Actor, id string) (bool, error) {
	follower, player, err := f.players(ctx, by, id)
	if err != nil {
		return false, err
	}
	return f.Store.FollowsPlayer(ctx, follower, player)
}

// FollowPlayer follows a player. It returns ErrFollowSelf, ErrFollowsFull, or an error of all methods.
func (f *Follows) FollowPlayer(ctx context.Context, by access.Actor, id string) error {
	follower, player, err := f.players(ctx, by, id)
	if err != nil {
		return err
	}
	if follower == player {
		return ErrFollowSelf
	}
	return f.Store.FollowPlayer(ctx, follower, player)
}

// UnfollowPlayer undoes FollowPlayer, also for a player whose account was deleted since.
func (f *Follows) UnfollowPlayer(ctx context.Context, by access.Actor, id string) error {
	follower, err := Authorize(ctx, by, access.Follow, f.Players)
	if err != nil {
		return err
	}
	player, err := f.Players.Get(ctx, id)
	if err != nil {
		return err
	}
	return f.Store.UnfollowPlayer(ctx, follower, player.ID)
}

// FollowsMap reports whether the actor follows a map.
func (f *Follows) FollowsMap(ctx context.Context, by access.Actor, id string) (bool, error) {
	follower, gameMapID, err := f.playerAndMap(ctx, by, id)
	if err != nil {
		return false, err
	}
	return f.Store.FollowsMap(ctx, follower, gameMapID)
}

// FollowMap follows a map, in all its versions. It returns ErrFollowsFull, or an error of all methods.
func (f *Follows) FollowMap(ctx context.Context, by access.Actor, id string) error {
	follower, gameMapID, err := f.playerAndMap(ctx, by, id)
	if err != nil {
		return err
	}
	return f.Store.FollowMap(ctx, follower, gameMapID)
}

// UnfollowMap undoes FollowMap, also for a map that was removed since.
func (f *Follows) UnfollowMap(ctx context.Context, by access.Actor, id string) error {
	follower, err := Authorize(ctx, by, access.Follow, f.Players)
	if err != nil {
		return err
	}
	m, err := f.Maps.Get(ctx, id)
	if errors.Is(err, ErrMapRemoved) {
		m, err = f.Maps.Load(ctx, id)
	}
	if err != nil {
		return err
	}
	return f.Store.UnfollowMap(ctx, follower, m.GameMapID)
}

// players returns the ids of the actor and of another player, who may both have been merged since.
func (f *Follows) players(ctx context.Context, by access.Actor, id string) (followerID, playerID string, err error) {
	if followerID, err = Authorize(ctx, by, access.Follow, f.Players); err != nil {
		return "", "", err
	}
	player, err := f.Players.Get(ctx, id)
	if err == nil && player.Deleted {
		return "", "", ErrPlayerUnknown
	}
	return followerID, player.ID, err
}

// playerAndMap returns the id of the actor, who may have been merged since, and the game's id of a map.
func (f *Follows) playerAndMap(ctx context.Context, by access.Actor, id string) (string, int64, error) {
	follower, err := Authorize(ctx, by, access.Follow, f.Players)
	if err != nil {
		return "", 0, err
	}
	m, err := f.Maps.Get(ctx, id)
	return follower, m.GameMapID, err
}
