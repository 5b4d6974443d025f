package record

import (
	"context"
	"errors"
	"fmt"
)

// PlayerCopies keeps what this service knows of players.
type PlayerCopies interface {
	// Player returns the copy of a player, also a tombstone, or ErrPlayerUnknown where none has arrived.
	Player(ctx context.Context, id string) (Player, error)
	// TakePlayer stores the player unless the copy is as new.
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

// ByID returns the player, or ErrPlayerUnknown. Where there is no copy and the
// owner cannot be asked, the problem is of kind unavailable.
func (p *Players) ByID(ctx context.Context, id string) (Player, error) {
	if !IsID(id) {
		return Player{}, ErrPlayerUnknown
	}
	player, err := p.Copies.Player(ctx, id)
	if errors.Is(err, ErrPlayerUnknown) {
		if player, err = p.Owner.Player(ctx, id); err != nil {
			return Player{}, err
		}
		if err := p.Copies.TakePlayer(ctx, player); err != nil {
			return Player{}, fmt.Errorf("copy of player %s: %w", id, err)
		}
	}
	if err == nil && player.Removed {
		return Player{}, ErrPlayerUnknown
	}
	return player, err
}
