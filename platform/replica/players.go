package replica

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// PlayerCopies stores the copies of players.
type PlayerCopies interface {
	// Player returns the copy of a player, also a tombstone, or event.ErrPlayerUnknown.
	Player(ctx context.Context, id string) (event.PlayerState, error)
	// ApplyPlayer stores a state unless the copy has the same or a higher version.
	ApplyPlayer(ctx context.Context, p event.PlayerState) error
}

// NewPlayers returns the replica of players in copies, of which ask gets those whose copies have
// not arrived. A player who was removed is unknown.
func NewPlayers(
	copies PlayerCopies, ask func(ctx context.Context, id string) (event.PlayerState, error),
) *Replica[event.PlayerState] {
	return &Replica[event.PlayerState]{
		Load:  copies.Player,
		Apply: copies.ApplyPlayer,
		Ask:   ask,
		Header: func(p event.PlayerState) Header {
			return Header{ID: p.ID, Version: p.Version, Removed: p.Removed, MergedInto: p.MergedInto}
		},
		ErrUnknown: event.ErrPlayerUnknown,
		ErrRemoved: event.ErrPlayerUnknown,
	}
}

// AskPlayers returns a function that asks the players service for the player with an id.
func AskPlayers(nc *nats.Conn) func(ctx context.Context, id string) (event.PlayerState, error) {
	return func(ctx context.Context, id string) (event.PlayerState, error) {
		return eventbus.Call[event.GetPlayer, event.PlayerState](ctx, nc, event.GetPlayerSubject, event.GetPlayer{ID: id})
	}
}

// ConsumePlayers returns the handler of players' states. A state with an invalid MergedInto is
// undecodable.
func ConsumePlayers(copies interface {
	ApplyPlayer(ctx context.Context, p event.PlayerState) error
}) eventbus.Handler {
	return eventbus.ApplyState[event.PlayerState](func(ctx context.Context, p event.PlayerState) error {
		if p.MergedInto != "" && !event.IsID(p.MergedInto) {
			return eventbus.Undecodable(fmt.Errorf("player %s is merged into %q", p.ID, p.MergedInto))
		}
		return copies.ApplyPlayer(ctx, p)
	})
}
