package natsapi

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/players/internal/player"
)

// queue is the queue group of the replicas: one of them answers each request.
const queue = "players"

// Server answers the other services' requests about players.
type Server struct {
	Players interface {
		// Get returns a player, also one who was merged, or player.ErrUnknown.
		Get(ctx context.Context, id string) (player.Player, error)
	}
	Registrar *player.Registrar
}

// Run answers until ctx ends and then finishes the requests under way.
func (s *Server) Run(ctx context.Context, nc *nats.Conn, log *slog.Logger) error {
	stopEnsure, err := eventbus.ServeRPC(nc, event.EnsurePlayerSubject, queue, log, s.ensure)
	if err != nil {
		return err
	}
	defer stopEnsure()
	stopRegister, err := eventbus.ServeRPC(nc, event.RegisterPlayerSubject, queue, log, s.register)
	if err != nil {
		return err
	}
	defer stopRegister()
	stopGet, err := eventbus.ServeRPC(nc, event.GetPlayerSubject, queue, log, s.get)
	if err != nil {
		return err
	}
	defer stopGet()
	<-ctx.Done()
	return nil
}

func (s *Server) ensure(ctx context.Context, req event.EnsurePlayer) (event.PlayerState, error) {
	p, err := s.Registrar.Ensure(ctx, req.Name)
	return p.State(), err
}

func (s *Server) register(ctx context.Context, req event.RegisterPlayer) (event.PlayerState, error) {
	p, err := s.Registrar.Register(ctx, player.Login{Name: req.Name, Level: req.Level, Skin: req.Skin})
	return p.State(), err
}

func (s *Server) get(ctx context.Context, req event.GetPlayer) (event.PlayerState, error) {
	p, err := s.Players.Get(ctx, req.ID)
	return p.State(), err
}
