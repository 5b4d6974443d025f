package httpapi

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/auth/internal/personaltoken"
)

// ListTokens implements GET /tokens.
func (s *Server) ListTokens(ctx context.Context, _ ListTokensRequestObject) (ListTokensResponseObject, error) {
	tokens, err := s.Tokens.List(ctx, httpserve.ActorOf(ctx))
	return ListTokens200JSONResponse{Success: true, Data: httpserve.List(tokens, personalToken)}, err
}

// CreateToken implements POST /tokens.
func (s *Server) CreateToken(ctx context.Context, req CreateTokenRequestObject) (CreateTokenResponseObject, error) {
	asked := personaltoken.New{Name: req.Body.Name, Days: req.Body.ExpiresInDays}
	for _, scope := range req.Body.Scopes {
		asked.Scopes = append(asked.Scopes, access.Scope(scope))
	}
	raw, created, err := s.Tokens.Create(ctx, httpserve.By(ctx), asked)
	return CreateToken201JSONResponse{
		Success: true, Data: CreatedToken{Token: raw, PersonalToken: personalToken(created)},
	}, err
}

// RevokeToken implements DELETE /tokens/{id}.
func (s *Server) RevokeToken(ctx context.Context, req RevokeTokenRequestObject) (RevokeTokenResponseObject, error) {
	return RevokeToken204Response{}, s.Tokens.Revoke(ctx, httpserve.By(ctx), req.Id)
}

func personalToken(t personaltoken.Token) PersonalToken {
	wire := PersonalToken{
		UnderscoreId: t.ID, Name: t.Name,
		Scopes:    httpserve.List(t.Scopes, func(scope access.Scope) TokenScope { return TokenScope(scope) }),
		CreatedAt: httpserve.TimeText(t.CreatedAt), ExpiresAt: httpserve.TimeText(t.ExpiresAt),
	}
	if !t.LastUsedOn.IsZero() {
		wire.LastUsedOn = new(t.LastUsedOn.Format(time.DateOnly))
	}
	return wire
}
