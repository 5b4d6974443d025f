package natsapi

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/parkourmap"
)

// queue is the queue group of the replicas: one of them answers each request.
const queue = "maps"

// Server answers the requests of other services.
type Server struct {
	// Finder reads one map, removed or not. Both methods return parkourmap.ErrMapUnknown.
	Finder interface {
		ByID(ctx context.Context, id string) (parkourmap.Map, error)
		ByGameMapID(ctx context.Context, id int64, fingerprint string) (parkourmap.Map, error)
	}
}

// Run answers until ctx ends, and then completes the requests in progress.
func (s *Server) Run(ctx context.Context, nc *nats.Conn, log *slog.Logger) error {
	stop, err := eventbus.ServeRPC(nc, event.GetMapSubject, queue, log, s.getMap)
	if err != nil {
		return err
	}
	defer stop()
	<-ctx.Done()
	return nil
}

func (s *Server) getMap(ctx context.Context, req event.GetMap) (event.MapState, error) {
	if req.ID != "" {
		m, err := s.Finder.ByID(ctx, req.ID)
		return m.State(), err
	}
	m, err := s.Finder.ByGameMapID(ctx, req.BonkDBID, req.Fingerprint)
	return m.State(), err
}

// EnsurePlayer returns a function that asks the players service for the player of a name, which
// it creates as a placeholder where there is none.
func EnsurePlayer(nc *nats.Conn) func(ctx context.Context, name string) (event.PlayerState, error) {
	return func(ctx context.Context, name string) (event.PlayerState, error) {
		return eventbus.Call[event.EnsurePlayer, event.PlayerState](
			ctx, nc, event.EnsurePlayerSubject, event.EnsurePlayer{Name: name})
	}
}
