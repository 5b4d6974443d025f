package rpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/auth/internal/session"
)

// Players is a login.Players and a session.Owner.
type Players struct {
	nc *nats.Conn
}

// NewPlayers asks the players service over nc.
func NewPlayers(nc *nats.Conn) *Players { return &Players{nc: nc} }

// Register implements login.Players.
func (p *Players) Register(ctx context.Context, v event.Visitor) (event.PlayerState, error) {
	return p.usable(eventbus.Call[event.RegisterPlayer, event.PlayerState](ctx, p.nc, event.RegisterPlayerSubject,
		event.RegisterPlayer{Name: v.Name, Level: v.Level, Skin: v.Skin}))
}

// Player implements session.Owner.
func (p *Players) Player(ctx context.Context, id string) (event.PlayerState, error) {
	state, err := p.usable(eventbus.Call[event.GetPlayer, event.PlayerState](ctx, p.nc, event.GetPlayerSubject, event.GetPlayer{ID: id}))
	if errors.Is(err, session.ErrPlayerUnknown) {
		return event.PlayerState{}, session.ErrPlayerUnknown
	}
	return state, err
}

// usable refuses an answer that names nobody.
func (p *Players) usable(state event.PlayerState, err error) (event.PlayerState, error) {
	if err == nil && (!event.IsID(state.ID) || state.Version < 1) {
		return event.PlayerState{}, fmt.Errorf("the players service answered with player %q in version %d", state.ID, state.Version)
	}
	return state, err
}
