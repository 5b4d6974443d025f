package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/players/internal/player"
)

// AskPoints returns a query of the records service.
func AskPoints(nc *nats.Conn) player.PointsQuery {
	return func(ctx context.Context, playerID string) (event.PlayerPoints, error) {
		return eventbus.Call[event.PlayerPoints](ctx, nc, event.GetPointsSubject, event.GetPoints{PlayerID: playerID})
	}
}
