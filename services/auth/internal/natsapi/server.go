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
		RevokeLeaked(ctx context.Context, hashes []personal.Hash) error
	}
}

// ExchangeToken answers event.ExchangeToken.
func (s *Server) ExchangeToken(ctx context.Context, req event.ExchangeToken) (event.ExchangedToken, error) {
	hash, err := parseHash(req.Hash)
	if err != nil {
		return event.ExchangedToken{}, err
	}
	exchanged, err := s.Tokens.Exchange(ctx, hash)
	if err != nil {
		return event.ExchangedToken{}, err
	}
	return event.ExchangedToken{
		AccessToken: exchanged.AccessToken, ExpiresAt: exchanged.ExpiresAt,
		TokenID: exchanged.Token.ID, Scopes: exchanged.Token.Scopes, PersonalExpiresAt: exchanged.Token.ExpiresAt,
	}, nil
}

// RevokeLeaked answers event.RevokeLeaked.
func (s *Server) RevokeLeaked(ctx context.Context, req event.RevokeLeaked) (struct{}, error) {
	if len(req.Hashes) > event.MaxLeaked {
		return struct{}{}, errMalformed
	}
	var hashes []personal.Hash
	for _, bytes := range req.Hashes {
		hash, err := parseHash(bytes)
		if err != nil {
			return struct{}{}, err
		}
		hashes = append(hashes, hash)
	}
	return struct{}{}, s.Tokens.RevokeLeaked(ctx, hashes)
}

// parseHash returns the hash of a token, or errMalformed for another number of bytes.
func parseHash(bytes []byte) (hash personal.Hash, err error) {
	if len(bytes) != len(hash) {
		return hash, errMalformed
	}
	return personal.Hash(bytes), nil
}
