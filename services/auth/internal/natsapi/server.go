package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/personal"
	"capzone.dev/services/auth/internal/personaltoken"
	"capzone.dev/services/auth/internal/session"
)

// Server answers the gateways.
type Server struct {
	Tokens   *personaltoken.Service
	Sessions *session.Service
}

// ExchangeToken answers event.ExchangeToken.
func (s *Server) ExchangeToken(ctx context.Context, req event.ExchangeToken) (event.ExchangedToken, error) {
	var hash personal.Hash
	if len(req.Hash) != len(hash) {
		return event.ExchangedToken{}, personaltoken.ErrHashMalformed
	}
	copy(hash[:], req.Hash)
	return s.Tokens.Exchange(ctx, hash)
}

// CheckSession answers event.CheckSession.
func (s *Server) CheckSession(ctx context.Context, req event.CheckSession) (struct{}, error) {
	return struct{}{}, s.Sessions.Check(ctx, req.SessionID)
}

// Players asks the players service.
type Players struct {
	NATS *nats.Conn
}

// Register implements login.Players.
func (p *Players) Register(ctx context.Context, v event.Visitor) (event.PlayerState, error) {
	return eventbus.Call[event.PlayerState](ctx, p.NATS, event.RegisterPlayerSubject,
		event.RegisterPlayer{Name: v.Name, Level: v.Level, Skin: v.Skin})
}
