package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
)

// GetPlayer implements GET /players/{id}.
func (s *Server) GetPlayer(ctx context.Context, req GetPlayerRequestObject) (GetPlayerResponseObject, error) {
	profile, err := s.Profiles.GetProfile(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.PlayerKey(profile.ID))
	return GetPlayer200JSONResponse{Success: true, Data: toWire(profile)}, nil
}
