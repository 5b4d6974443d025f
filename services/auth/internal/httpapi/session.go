package httpapi

import (
	"context"
	"errors"

	"capzone.dev/services/auth/internal/session"
)

// RefreshToken implements GET /auth/refresh-token. That a visitor has no session
// is an answer and not a failure, because browsers log failures as errors of the page.
func (s *server) RefreshToken(ctx context.Context, _ RefreshTokenRequestObject) (RefreshTokenResponseObject, error) {
	grant, err := s.use.Sessions.Refresh(ctx, s.cookies.refreshToken(ctx))
	count(s.use.Outcomes.refreshes, &err)
	if errors.Is(err, session.ErrMissing) {
		return RefreshToken200JSONResponse{Code: &session.ErrMissing.Code, Message: &session.ErrMissing.Message}, nil
	}
	if err != nil {
		return nil, err
	}
	s.cookies.setRefreshToken(ctx, grant.RefreshToken)
	player := toWire(grant.Player)
	return RefreshToken200JSONResponse{Success: true, User: &player, AccessToken: &grant.AccessToken}, nil
}

// Logout implements POST /auth/logout. The browser forgets its cookies also when
// the session cannot be ended for the moment.
func (s *server) Logout(ctx context.Context, _ LogoutRequestObject) (LogoutResponseObject, error) {
	s.cookies.clear(ctx)
	if err := s.use.Sessions.End(ctx, s.cookies.refreshToken(ctx)); err != nil {
		return nil, err
	}
	return Logout200JSONResponse{Success: true}, nil
}
