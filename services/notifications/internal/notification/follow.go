package notification

import (
	"context"
	"errors"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// MaxFollows is how many players, and how many maps, a player follows at most. After a merge the oldest follows are
// left.
const MaxFollows = 500

// Following is whom and what a player follows, in the order of their names. Maps are in their newest versions.
type Following struct {
	Players []Player
	Maps    []Map
}

// FollowKind says whether a player or a map is followed.
type FollowKind int

// The kinds of follows.
const (
	FollowPlayer FollowKind = iota
	FollowMap
)

// Followed is a player or a map that is followed, the latter by the game's id in all its versions.
type Followed struct {
	Kind      FollowKind
	PlayerID  string
	GameMapID int64
}

// Follower is a player who is to follow another one or a map, read under a lock by which no other follow is added.
type Follower struct {
	ID string
	// Count is how many players, or how many maps, are followed, and IsFollowing whether this one is.
	Count       int
	IsFollowing bool
	// IsDeleted is true where the account of the followed player was deleted since.
	IsDeleted bool
}

// CheckFollow returns ErrFollowSelf, ErrPlayerUnknown, or ErrFollowsFull for one more than MaxFollows.
func (f Follower) CheckFollow(to Followed) error {
	switch {
	case f.ID == to.PlayerID:
		return ErrFollowSelf
	case f.IsDeleted:
		return ErrPlayerUnknown
	case f.Count >= MaxFollows && !f.IsFollowing:
		return ErrFollowsFull
	}
	return nil
}

// FollowStore stores whom and what players follow.
type FollowStore interface {
	// Following returns whom and what a player follows.
	Following(ctx context.Context, followerID string) (Following, error)
	// FollowedPlayers returns the ids of the players whom a player follows.
	FollowedPlayers(ctx context.Context, followerID string) ([]string, error)
	// IsFollowing reports whether a player follows another one or a map.
	IsFollowing(ctx context.Context, followerID string, to Followed) (bool, error)
	// Follow and Unfollow do so for whom the players were merged into. Follow returns an error of Follower.CheckFollow.
	Follow(ctx context.Context, by access.Attribution, to Followed, at time.Time) error
	Unfollow(ctx context.Context, by access.Attribution, to Followed) error
}

// Follows changes and answers whom and what players follow.
//
// Its methods return access.ErrForbidden for a banned player, access.ErrDeleted, ErrPlayerUnknown, for a map
// ErrMapUnknown or ErrMapRemoved, or a problem of kind unavailable.
type Follows struct {
	Store   FollowStore
	Players Players
	Maps    Maps
	Now     func() time.Time
}

// List returns whom and what the actor follows.
func (f *Follows) List(ctx context.Context, by access.Actor) (Following, error) {
	_, follower, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.Follow, f.Players.Get)
	if err != nil {
		return Following{}, err
	}
	return f.Store.Following(ctx, follower.Actor.ID)
}

// ListFollowed answers event.ListFollowedSubject.
func (f *Follows) ListFollowed(ctx context.Context, req event.ListFollowed) (event.FollowedPlayers, error) {
	if !event.IsID(req.PlayerID) {
		return event.FollowedPlayers{}, ErrPlayerUnknown
	}
	ids, err := f.Store.FollowedPlayers(ctx, req.PlayerID)
	return event.FollowedPlayers{PlayerIDs: ids}, err
}

// IsFollowing reports whether the actor follows a player or a map.
func (f *Follows) IsFollowing(ctx context.Context, by access.Actor, kind FollowKind, id string) (bool, error) {
	follower, to, err := f.find(ctx, access.Attribution{Actor: by}, kind, id, false)
	if err != nil {
		return false, err
	}
	return f.Store.IsFollowing(ctx, follower.Actor.ID, to)
}

// Follow follows a player or a map. It returns an error of Follower.CheckFollow, or of all methods.
func (f *Follows) Follow(ctx context.Context, by access.Attribution, kind FollowKind, id string) error {
	by, to, err := f.find(ctx, by, kind, id, false)
	if err != nil {
		return err
	}
	return f.Store.Follow(ctx, by, to, event.InMillis(f.Now()))
}

// Unfollow undoes Follow, also for a player whose account was deleted and a map that was removed since.
func (f *Follows) Unfollow(ctx context.Context, by access.Attribution, kind FollowKind, id string) error {
	by, to, err := f.find(ctx, by, kind, id, true)
	if err != nil {
		return err
	}
	return f.Store.Unfollow(ctx, by, to)
}

// find returns who follows, and whom or what, who may have been merged since. goneToo is true where a player whose
// account was deleted and a removed map are found, too.
func (f *Follows) find(
	ctx context.Context, by access.Attribution, kind FollowKind, id string, goneToo bool,
) (follower access.Attribution, to Followed, err error) {
	if _, follower, err = access.Authorize(ctx, by, access.Follow, f.Players.Get); err != nil {
		return follower, Followed{}, err
	}
	if kind == FollowPlayer {
		player, err := f.Players.Get(ctx, id)
		if err == nil && player.Deleted && !goneToo {
			err = ErrPlayerUnknown
		}
		return follower, Followed{Kind: kind, PlayerID: player.ID}, err
	}
	m, err := f.Maps.Get(ctx, id)
	if goneToo && errors.Is(err, ErrMapRemoved) {
		m, err = f.Maps.Load(ctx, id)
	}
	return follower, Followed{Kind: kind, GameMapID: m.GameMapID}, err
}
