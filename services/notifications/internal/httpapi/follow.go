package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/notifications/internal/notification"
)

// ListFollows implements GET /follows.
func (s *Server) ListFollows(ctx context.Context, _ ListFollowsRequestObject) (ListFollowsResponseObject, error) {
	following, err := s.Follows.List(ctx, httpserve.ActorOf(ctx))
	return ListFollows200JSONResponse{Success: true, Data: Follows{
		Players: httpserve.List(following.Players, playerRef), Maps: httpserve.List(following.Maps, mapRef),
	}}, err
}

// GetPlayerFollow implements GET /follows/players/{id}.
func (s *Server) GetPlayerFollow(
	ctx context.Context, req GetPlayerFollowRequestObject,
) (GetPlayerFollowResponseObject, error) {
	following, err := s.Follows.IsFollowing(ctx, httpserve.ActorOf(ctx), notification.FollowPlayer, req.Id)
	return GetPlayerFollow200JSONResponse{Success: true, Data: Follow{Following: following}}, err
}

// FollowPlayer implements PUT /follows/players/{id}.
func (s *Server) FollowPlayer(ctx context.Context, req FollowPlayerRequestObject) (FollowPlayerResponseObject, error) {
	return FollowPlayer204Response{}, s.Follows.Follow(ctx, httpserve.By(ctx), notification.FollowPlayer, req.Id)
}

// UnfollowPlayer implements DELETE /follows/players/{id}.
func (s *Server) UnfollowPlayer(
	ctx context.Context, req UnfollowPlayerRequestObject,
) (UnfollowPlayerResponseObject, error) {
	return UnfollowPlayer204Response{}, s.Follows.Unfollow(ctx, httpserve.By(ctx), notification.FollowPlayer, req.Id)
}

// GetMapFollow implements GET /follows/maps/{id}.
func (s *Server) GetMapFollow(ctx context.Context, req GetMapFollowRequestObject) (GetMapFollowResponseObject, error) {
	following, err := s.Follows.IsFollowing(ctx, httpserve.ActorOf(ctx), notification.FollowMap, req.Id)
	return GetMapFollow200JSONResponse{Success: true, Data: Follow{Following: following}}, err
}

// FollowMap implements PUT /follows/maps/{id}.
func (s *Server) FollowMap(ctx context.Context, req FollowMapRequestObject) (FollowMapResponseObject, error) {
	return FollowMap204Response{}, s.Follows.Follow(ctx, httpserve.By(ctx), notification.FollowMap, req.Id)
}

// UnfollowMap implements DELETE /follows/maps/{id}.
func (s *Server) UnfollowMap(ctx context.Context, req UnfollowMapRequestObject) (UnfollowMapResponseObject, error) {
	return UnfollowMap204Response{}, s.Follows.Unfollow(ctx, httpserve.By(ctx), notification.FollowMap, req.Id)
}
