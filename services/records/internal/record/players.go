package record

import (
	"context"
	"errors"
	"fmt"

	"capzone.dev/platform/event"
)

// PlayerCopies keeps what this service knows of players.
type PlayerCopies interface {
	// Player returns the copy of a player, also a tombstone, or ErrPlayerUnknown where none has arrived.
	Player(ctx context.Context, id string) (Player, error)
	// TakePlayer stores the player unless the copy is as new. One who was merged into another leaves them all runs.
	TakePlayer(ctx context.Context, p Player) error
}

// PlayerOwner is the service that owns players.
type PlayerOwner interface {
	// Player returns a player, ErrPlayerUnknown, or a problem of kind unavailable.
	Player(ctx context.Context, id string) (Player, error)
}

// Players knows the players: from its own copies, and from their owner where a
// copy has not arrived yet.
type Players struct {
	Copies PlayerCopies
	Owner  PlayerOwner
}

// ByID returns the player, or whom they were merged into, or ErrPlayerUnknown.
// Where there is no copy and the owner cannot be asked, the problem is of kind
// unavailable.
func (p *Players) ByID(ctx context.Context, id string) (Player, error) {
	if !event.IsID(id) {
		return Player{}, ErrPlayerUnknown
	}
	for {
		player, err := p.known(ctx, id)
		switch {
		case err != nil:
			return Player{}, err
		case !player.Removed:
			return player, nil
		case player.MergedInto == "":
			return Player{}, ErrPlayerUnknown
		}
		// Nobody is merged in a circle: whoever was merged is never merged into.
		id = player.MergedInto
	}
}

// known returns the copy of a player, also a tombstone, or what the owner says.
func (p *Players) known(ctx context.Context, id string) (Player, error) {
	player, err := p.Copies.Player(ctx, id)
	if errors.Is(err, ErrPlayerUnknown) {
		if player, err = p.Owner.Player(ctx, id); err != nil {
			return Player{}, err
		}
		if err := p.Copies.TakePlayer(ctx, player); err != nil {
			return Player{}, fmt.Errorf("copy of player %s: %w", id, err)
		}
	}
	return player, err
}
