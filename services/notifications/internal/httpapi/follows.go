package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
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

// GetPlayerFollow implements GET /follows/players/{id}.
func (s *Server) GetPlayerFollow(
	ctx context.Context, req GetPlayerFollowRequestObject,
) (GetPlayerFollowResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	following, err := s.Follows.FollowsPlayer(ctx, actor, req.Id)
	if err != nil {
		return nil, err
	}
	setNoStore(ctx)
	return GetPlayerFollow200JSONResponse{Success: true, Data: Follow{Following: following}}, nil
}

// FollowPlayer implements PUT /follows/players/{id}.
func (s *Server) FollowPlayer(ctx context.Context, req FollowPlayerRequestObject) (FollowPlayerResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Follows.FollowPlayer(ctx, actor, req.Id); err != nil {
		return nil, err
	}
	return FollowPlayer204Response{}, nil
}

// UnfollowPlayer implements DELETE /follows/players/{id}.
func (s *Server) UnfollowPlayer(
	ctx context.Context, req UnfollowPlayerRequestObject,
) (UnfollowPlayerResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Follows.UnfollowPlayer(ctx, actor, req.Id); err != nil {
		return nil, err
	}
	return UnfollowPlayer204Response{}, nil
}

// GetMapFollow implements GET /follows/maps/{id}.
func (s *Server) GetMapFollow(ctx context.Context, req GetMapFollowRequestObject) (GetMapFollowResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	following, err := s.Follows.FollowsMap(ctx, actor, req.Id)
	if err != nil {
		return nil, err
	}
	setNoStore(ctx)
	return GetMapFollow200JSONResponse{Success: true, Data: Follow{Following: following}}, nil
}

// FollowMap implements PUT /follows/maps/{id}.
func (s *Server) FollowMap(ctx context.Context, req FollowMapRequestObject) (FollowMapResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Follows.FollowMap(ctx, actor, req.Id); err != nil {
		return nil, err
	}
	return FollowMap204Response{}, nil
}

// UnfollowMap implements DELETE /follows/maps/{id}.
func (s *Server) UnfollowMap(ctx context.Context, req UnfollowMapRequestObject) (UnfollowMapResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Follows.UnfollowMap(ctx, actor, req.Id); err != nil {
		return nil, err
	}
	return UnfollowMap204Response{}, nil
}
