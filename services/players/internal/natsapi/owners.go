package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// Records asks the records service. It implements player.Points.
type Records struct {
	NATS *nats.Conn
}

// FindPoints implements player.Points.
func (r *Records) FindPoints(ctx context.Context, playerID string) (event.PlayerPoints, error) {
	return eventbus.Call[event.PlayerPoints](ctx, r.NATS, event.GetPointsSubject, event.GetPoints{PlayerID: playerID})
}
