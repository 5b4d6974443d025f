package parkourmap

import (
	"context"
	"errors"
	"fmt"

	"capzone.dev/platform/playername"
)

// PlayerCopies keeps what this service knows of players.
type PlayerCopies interface {
	// Player returns the copy of a player, also of one who was merged, or ErrPlayerUnknown where it has not arrived.
	Player(ctx context.Context, id string) (Player, error)
	// PlayerNamed returns the copy of the player whose name has the key (playername.Key), or ErrPlayerUnknown.
	PlayerNamed(ctx context.Context, key string) (Player, error)
	// TakePlayer stores the player unless the copy is as new. One who was merged into another leaves them all maps.
	// Returns ErrNoID.
	TakePlayer(ctx context.Context, p Player) error
}

// PlayerOwner is the service that owns players.
type PlayerOwner interface {
	// Player returns a player, ErrPlayerUnknown, or a problem of kind unavailable.
	Player(ctx context.Context, id string) (Player, error)
	// Ensure returns the player of a name, made as a placeholder where there is none, or a problem of
	// kind unavailable.
	Ensure(ctx context.Context, name string) (Player, error)
}

// Players knows the players whom maps name: from its own copies, and from their
// owner where a copy has not arrived yet.
type Players struct {
	Copies PlayerCopies
	Owner  PlayerOwner
}

// ByID returns the player, or whom they were merged into, or ErrPlayerUnknown.
// Where there is no copy and the owner cannot be asked, the problem is of kind
// unavailable.
func (p *Players) ByID(ctx context.Context, id string) (Player, error) {
	for {
		player, err := p.known(ctx, id)
		// Nobody is merged in a circle: whoever was merged is never merged into.
		if err != nil || player.MergedInto == "" {
			return player, err
		}
		id = player.MergedInto
	}
}

// known returns the copy of a player, or what the owner says.
func (p *Players) known(ctx context.Context, id string) (Player, error) {
	player, err := p.Copies.Player(ctx, id)
	if !errors.Is(err, ErrPlayerUnknown) {
		return player, err
	}
	player, err = p.Owner.Player(ctx, id)
	return p.took(ctx, player, err)
}

// ByName returns the player of the name, whom the owner makes as a placeholder
// where there is none. A name changes owners only where a player is merged, whose
// maps go along, so that a copy is as good as an answer.
func (p *Players) ByName(ctx context.Context, name string) (Player, error) {
	player, err := p.Copies.PlayerNamed(ctx, playername.Key(name))
	if !errors.Is(err, ErrPlayerUnknown) {
		return player, err
	}
	player, err = p.Owner.Ensure(ctx, name)
	return p.took(ctx, player, err)
}

// took stores the owner's answer for the next time.
func (p *Players) took(ctx context.Context, player Player, err error) (Player, error) {
	if err != nil {
		return Player{}, err
	}
	if player.Removed && player.MergedInto == "" {
		return Player{}, ErrPlayerUnknown
	}
	if err := p.Copies.TakePlayer(ctx, player); err != nil {
		return Player{}, fmt.Errorf("copy of player %s: %w", player.ID, err)
	}
	return player, nil
}
