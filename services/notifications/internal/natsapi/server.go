package natsapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/notification"
)

// Server answers the other services' requests.
type Server struct {
	Follows interface {
		// FollowedPlayers returns the ids of the players whom a player follows.
		FollowedPlayers(ctx context.Context, followerID string) ([]string, error)
	}
}

// ListFollowed answers on event.ListFollowedSubject.
func (s *Server) ListFollowed(ctx context.Context, req event.ListFollowed) (event.FollowedPlayers, error) {
	if !event.IsID(req.PlayerID) {
		return event.FollowedPlayers{}, notification.ErrPlayerUnknown
	}
	ids, err := s.Follows.FollowedPlayers(ctx, req.PlayerID)
	return event.FollowedPlayers{PlayerIDs: ids}, err
}
