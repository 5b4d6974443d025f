package httpapi

import (
	"context"
	"errors"

	"capzone.dev/services/auth/internal/session"
)

// RefreshToken implements GET /auth/refresh-token. A visitor without a session gets status 200,
// because browsers log other statuses as errors of the page.
func (s *Server) RefreshToken(ctx context.Context, _ RefreshTokenRequestObject) (RefreshTokenResponseObject, error) {
	grant, err := s.Sessions.Refresh(ctx, s.cookies().refreshToken(ctx))
	s.Metrics.refreshes.Count(err)
	if errors.Is(err, session.ErrMissing) {
		return RefreshToken200JSONResponse{Code: &session.ErrMissing.Code, Message: &session.ErrMissing.Message}, nil
	}
	if err != nil {
		return nil, err
	}
	s.cookies().setRefreshToken(ctx, grant.RefreshToken)
	player := toWire(grant.Player)
	return RefreshToken200JSONResponse{Success: true, User: &player, AccessToken: &grant.AccessToken}, nil
}

// Logout implements POST /auth/logout. It clears the cookies also where the session cannot be ended at the moment.
func (s *Server) Logout(ctx context.Context, _ LogoutRequestObject) (LogoutResponseObject, error) {
	s.cookies().clear(ctx)
	if err := s.Sessions.End(ctx, s.cookies().refreshToken(ctx)); err != nil {
		return nil, err
	}
	return Logout200JSONResponse{Success: true}, nil
}
