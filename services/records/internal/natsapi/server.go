package natsapi

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// queue is the queue group of the replicas: one of them answers each request.
const queue = "records"

// Server answers the requests of other services.
type Server struct {
	Finder interface {
		// FindFinish returns the id of the record of a finish, removed or not, or an empty text.
		FindFinish(ctx context.Context, finish event.FindFinish) (recordID string, err error)
	}
}

// Run answers until ctx ends, and then completes the requests in progress.
func (s *Server) Run(ctx context.Context, nc *nats.Conn, log *slog.Logger) error {
	stop, err := eventbus.ServeRPC(nc, event.FindFinishSubject, queue, log, s.findFinish)
	if err != nil {
		return err
	}
	defer stop()
	<-ctx.Done()
	return nil
}

func (s *Server) findFinish(ctx context.Context, req event.FindFinish) (event.FoundFinish, error) {
	id, err := s.Finder.FindFinish(ctx, req)
	return event.FoundFinish{RecordID: id}, err
}
