// Package rpc answers the other services' requests about players, over NATS.
package rpc

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/players/internal/player"
)

// queue is shared by the replicas: one of them answers each request.
const queue = "players"

// Server answers requests.
type Server struct {
	Finder    player.Finder
	Ensurer   *player.Ensurer
	Registrar *player.Registrar
}

// Run answers until ctx ends, and then finishes what is in hand.
func (s *Server) Run(ctx context.Context, nc *nats.Conn, log *slog.Logger) error {
	for _, serve := range []func() (func(), error){
		func() (func(), error) {
			return eventbus.ServeRPC(nc, event.EnsurePlayerSubject, queue, log, s.ensure)
		},
		func() (func(), error) {
			return eventbus.ServeRPC(nc, event.RegisterPlayerSubject, queue, log, s.register)
		},
		func() (func(), error) {
			return eventbus.ServeRPC(nc, event.GetPlayerSubject, queue, log, s.get)
		},
	} {
		stop, err := serve()
		if err != nil {
			return err
		}
		defer stop()
	}
	<-ctx.Done()
	return nil
}

func (s *Server) ensure(ctx context.Context, req event.EnsurePlayer) (event.PlayerState, error) {
	p, err := s.Ensurer.Ensure(ctx, req.Name)
	return p.State(), err
}

func (s *Server) register(ctx context.Context, req event.RegisterPlayer) (event.PlayerState, error) {
	p, err := s.Registrar.Register(ctx, player.Login{Name: req.Name, Level: req.Level, Skin: req.Skin})
	return p.State(), err
}

func (s *Server) get(ctx context.Context, req event.GetPlayer) (event.PlayerState, error) {
	p, err := s.Finder.ByID(ctx, req.ID)
	return p.State(), err
}
