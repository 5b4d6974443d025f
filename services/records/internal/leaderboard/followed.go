package leaderboard

import (
	"context"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

// Follows finds whom players follow at the service that owns follows.
type Follows interface {
	// ListFollowed returns the players whom a player follows, at most event.MaxRequestedPlayers. It returns a problem of
	// kind unavailable where the owner cannot be asked.
	ListFollowed(ctx context.Context, playerID string) ([]string, error)
}

// FollowedLeaderboard returns a page of the rows that the caller and the players whom the caller follows have on a
// map's leaderboard. It also returns access.ErrScopeMissing or ErrFollowingUnavailable.
func (r *Reader) FollowedLeaderboard(
	ctx context.Context, by access.Actor, mapID string, page Page,
) (RankedList, error) {
	if err := by.RequireScope(access.ScopeFollows); err != nil {
		return RankedList{}, err
	}
	if !event.IsID(mapID) {
		return RankedList{}, record.ErrMapUnknown
	}
	caller, err := r.Players.Get(ctx, by.ID)
	if err != nil {
		return RankedList{}, err
	}
	players, err := r.Follows.ListFollowed(ctx, caller.ID)
	switch {
	case err != nil && problem.From(err).Kind == problem.KindUnavailable:
		return RankedList{}, ErrFollowingUnavailable.Wrap(err)
	case err != nil:
		return RankedList{}, err
	}
	players = append(players, caller.ID)
	return r.withMap(ctx, mapID, func() (RankedList, error) {
		return r.Queries.FollowedLeaderboard(ctx, mapID, players, page)
	})
}
