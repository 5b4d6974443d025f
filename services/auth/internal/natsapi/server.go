package natsapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/personaltoken"
)

// errMalformed answers requests that no program of the site sends.
var errMalformed = problem.InvalidArgument("malformed", "The request is malformed.")

// Server answers the gateways.
type Server struct {
	Tokens interface {
		// Exchange returns personaltoken.ErrInvalid for a token that is not valid.
		Exchange(ctx context.Context, hash personal.Hash) (personaltoken.Exchanged, error)
	}
	Sessions interface {
		// Check returns session.ErrEnded for a session that has ended.
		Check(ctx context.Context, familyID string) error
	}
}

// ExchangeToken answers event.ExchangeToken.
func (s *Server) ExchangeToken(ctx context.Context, req event.ExchangeToken) (event.ExchangedToken, error) {
	var hash personal.Hash
	if len(req.Hash) != len(hash) {
		return event.ExchangedToken{}, errMalformed
	}
	copy(hash[:], req.Hash)
	exchanged, err := s.Tokens.Exchange(ctx, hash)
	if err != nil {
		return event.ExchangedToken{}, err
	}
	return event.ExchangedToken{
		AccessToken: exchanged.AccessToken, ExpiresAt: exchanged.ExpiresAt,
		TokenID: exchanged.Token.ID, Scopes: exchanged.Token.Scopes,
	}, nil
}

// CheckSession answers event.CheckSession.
func (s *Server) CheckSession(ctx context.Context, req event.CheckSession) (struct{}, error) {
	return struct{}{}, s.Sessions.Check(ctx, req.SessionID)
}
