package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Players asks the players service. It implements parkourmap.PlayerOwner.
type Players struct{ NATS *nats.Conn }

// Player implements parkourmap.PlayerOwner.
func (p *Players) Player(ctx context.Context, id string) (parkourmap.Player, error) {
	state, err := eventbus.Call[event.GetPlayer, event.PlayerState](
		ctx, p.NATS, event.GetPlayerSubject, event.GetPlayer{ID: id})
	return parkourmap.PlayerOf(state), err
}

// Ensure implements parkourmap.PlayerOwner.
func (p *Players) Ensure(ctx context.Context, name string) (parkourmap.Player, error) {
	state, err := eventbus.Call[event.EnsurePlayer, event.PlayerState](
		ctx, p.NATS, event.EnsurePlayerSubject, event.EnsurePlayer{Name: name})
	return parkourmap.PlayerOf(state), err
}
