package natsapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
)

// Server answers the other services' requests about players.
type Server struct {
	Players interface {
		// Get returns a player, also one who was merged, or player.ErrUnknown.
		Get(ctx context.Context, id string) (player.Player, error)
	}
	Registrar *player.Registrar
}

// EnsurePlayer answers on event.EnsurePlayerSubject.
func (s *Server) EnsurePlayer(ctx context.Context, req event.EnsurePlayer) (event.PlayerState, error) {
	p, err := s.Registrar.Ensure(ctx, req.Name)
	return p.State(), err
}

// RegisterPlayer answers on event.RegisterPlayerSubject.
func (s *Server) RegisterPlayer(ctx context.Context, req event.RegisterPlayer) (event.PlayerState, error) {
	p, err := s.Registrar.Register(ctx, player.Login{Name: req.Name, Level: req.Level, Skin: req.Skin})
	return p.State(), err
}

// GetPlayer answers on event.GetPlayerSubject.
func (s *Server) GetPlayer(ctx context.Context, req event.GetPlayer) (event.PlayerState, error) {
	p, err := s.Players.Get(ctx, req.ID)
	return p.State(), err
}
