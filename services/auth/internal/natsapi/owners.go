package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// Players asks the players service. It implements login.Players.
type Players struct {
	NATS *nats.Conn
}

// Register implements login.Players.
func (p *Players) Register(ctx context.Context, v event.Visitor) (event.PlayerState, error) {
	return eventbus.Call[event.PlayerState](ctx, p.NATS, event.RegisterPlayerSubject,
		event.RegisterPlayer{Name: v.Name, Level: v.Level, Skin: v.Skin})
}
