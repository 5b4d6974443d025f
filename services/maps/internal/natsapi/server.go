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
		if !event.IsID(req.ID) {
			return event.MapState{}, parkourmap.ErrMapUnknown
		}
		m, err := s.Finder.ByID(ctx, req.ID)
		return m.State(), err
	}
	m, err := s.Finder.ByGameMapID(ctx, req.GameMapID, req.Fingerprint)
	return m.State(), err
}
