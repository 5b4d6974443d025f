package natsapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/auth/internal/session"
)

// Players asks the players service.
type Players struct {
	NATS *nats.Conn
}

// Register implements login.Players.
func (p *Players) Register(ctx context.Context, v event.Visitor) (event.PlayerState, error) {
	state, err := eventbus.Call[event.RegisterPlayer, event.PlayerState](ctx, p.NATS, event.RegisterPlayerSubject,
		event.RegisterPlayer{Name: v.Name, Level: v.Level, Skin: v.Skin})
	if err == nil && (!event.IsID(state.ID) || state.Version < 1) {
		err = fmt.Errorf("the players service answered with player %q in version %d", state.ID, state.Version)
	}
	return state, err
}

// Get returns the player with the id. It returns session.ErrPlayerUnknown, or a problem of kind unavailable.
func (p *Players) Get(ctx context.Context, id string) (event.PlayerState, error) {
	state, err := eventbus.Call[event.GetPlayer, event.PlayerState](ctx, p.NATS, event.GetPlayerSubject,
		event.GetPlayer{ID: id})
	if errors.Is(err, session.ErrPlayerUnknown) { // the two services' errors have one code
		err = session.ErrPlayerUnknown
	}
	return state, err
}
