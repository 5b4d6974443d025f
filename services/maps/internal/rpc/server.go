// Package rpc answers the other services' requests about maps, and asks the
// players service, over NATS.
package rpc

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/parkourmap"
)

// queue is shared by the replicas: one of them answers each request.
const queue = "maps"

// Finder reads one map, removed or not. Both return parkourmap.ErrMapUnknown.
type Finder interface {
	ByID(ctx context.Context, id string) (parkourmap.Map, error)
	ByBonkDBID(ctx context.Context, bonkDBID int64) (parkourmap.Map, error)
}

// Server answers requests.
type Server struct {
	Finder Finder
}

// Run answers until ctx ends, and then finishes what is in hand.
func (s *Server) Run(ctx context.Context, nc *nats.Conn, log *slog.Logger) error {
	stop, err := eventbus.ServeRPC(nc, event.GetMapSubject, queue, log, s.get)
	if err != nil {
		return err
	}
	defer stop()
	<-ctx.Done()
	return nil
}

func (s *Server) get(ctx context.Context, req event.GetMap) (event.MapState, error) {
	if req.ID != "" {
		m, err := s.Finder.ByID(ctx, req.ID)
		return m.State(), err
	}
	m, err := s.Finder.ByBonkDBID(ctx, req.BonkDBID)
	return m.State(), err
}
