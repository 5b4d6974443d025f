package httpapi

import "context"

// RefreshToken implements GET /auth/refresh-token.
func (s *server) RefreshToken(ctx context.Context, _ RefreshTokenRequestObject) (RefreshTokenResponseObject, error) {
	grant, err := s.use.Sessions.Refresh(ctx, s.cookies.refreshToken(ctx))
	if err != nil {
		return nil, err
	}
	s.cookies.setRefreshToken(ctx, grant.RefreshToken)
	return RefreshToken200JSONResponse{Success: true, User: toWire(grant.Player), AccessToken: grant.AccessToken}, nil
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
