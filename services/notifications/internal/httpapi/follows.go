package httpapi

import (
	"context"

	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/notifications/internal/notification"
)

// ListFollows implements GET /follows.
func (s *Server) ListFollows(ctx context.Context, _ ListFollowsRequestObject) (ListFollowsResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	following, err := s.Follows.List(ctx, actor)
	if err != nil {
		return nil, err
	}
	setNoStore(ctx)
	wire := Follows{Players: playerRefs(following.Players), Maps: make([]MapRef, len(following.Maps))}
	for i, m := range following.Maps {
		wire.Maps[i] = mapRef(m)
	}
	return ListFollows200JSONResponse{Success: true, Data: wire}, nil
}

// isFollowing returns whether the caller follows a player or a map.
func (s *Server) isFollowing(ctx context.Context, kind notification.FollowKind, id string) (Follow, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return Follow{}, err
	}
	following, err := s.Follows.IsFollowing(ctx, actor, kind, id)
	if err != nil {
		return Follow{}, err
	}
	setNoStore(ctx)
	return Follow{Following: following}, nil
}

// follow has the caller follow a player or a map, or end that.
func (s *Server) follow(
	ctx context.Context, kind notification.FollowKind, id string,
	do func(ctx context.Context, by access.Actor, kind notification.FollowKind, id string) error,
) error {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return err
	}
	return do(ctx, actor, kind, id)
}

// GetPlayerFollow implements GET /follows/players/{id}.
func (s *Server) GetPlayerFollow(
	ctx context.Context, req GetPlayerFollowRequestObject,
) (GetPlayerFollowResponseObject, error) {
	data, err := s.isFollowing(ctx, notification.FollowPlayer, req.Id)
	return GetPlayerFollow200JSONResponse{Success: true, Data: data}, err
}

// FollowPlayer implements PUT /follows/players/{id}.
func (s *Server) FollowPlayer(ctx context.Context, req FollowPlayerRequestObject) (FollowPlayerResponseObject, error) {
	return FollowPlayer204Response{}, s.follow(ctx, notification.FollowPlayer, req.Id, s.Follows.Follow)
}

// UnfollowPlayer implements DELETE /follows/players/{id}.
func (s *Server) UnfollowPlayer(
	ctx context.Context, req UnfollowPlayerRequestObject,
) (UnfollowPlayerResponseObject, error) {
	return UnfollowPlayer204Response{}, s.follow(ctx, notification.FollowPlayer, req.Id, s.Follows.Unfollow)
}

// GetMapFollow implements GET /follows/maps/{id}.
func (s *Server) GetMapFollow(ctx context.Context, req GetMapFollowRequestObject) (GetMapFollowResponseObject, error) {
	data, err := s.isFollowing(ctx, notification.FollowMap, req.Id)
	return GetMapFollow200JSONResponse{Success: true, Data: data}, err
}

// FollowMap implements PUT /follows/maps/{id}.
func (s *Server) FollowMap(ctx context.Context, req FollowMapRequestObject) (FollowMapResponseObject, error) {
	return FollowMap204Response{}, s.follow(ctx, notification.FollowMap, req.Id, s.Follows.Follow)
}

// UnfollowMap implements DELETE /follows/maps/{id}.
func (s *Server) UnfollowMap(ctx context.Context, req UnfollowMapRequestObject) (UnfollowMapResponseObject, error) {
	return UnfollowMap204Response{}, s.follow(ctx, notification.FollowMap, req.Id, s.Follows.Unfollow)
}
