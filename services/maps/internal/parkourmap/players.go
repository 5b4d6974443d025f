package parkourmap

import (
	"context"
	"errors"
	"fmt"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// Player is the copy of a player who made or submitted maps.
type Player struct {
	ID string
	// Version is the version of the player's state. Older states are not applied.
	Version int64
	// Removed is true for a tombstone.
	Removed bool
	// MergedInto is the id of the player into whom a removed player was merged, or empty.
	MergedInto string
	Name       string
	// FormerNames are the names of players who were merged into this one.
	FormerNames []string
	// SkinImageURL and SkinColor are empty where there is none.
	SkinImageURL string
	SkinColor    string
	Banned       bool
}

// PlayerOf returns the player of a state event.
func PlayerOf(s event.PlayerState) Player {
	return Player{
		ID: s.ID, Version: s.Version, Removed: s.Removed, MergedInto: s.MergedInto,
		Name: s.Name, FormerNames: s.FormerNames,
		SkinImageURL: s.SkinImageURL, SkinColor: s.SkinColor, Banned: s.Banned,
	}
}

// PlayerCopies stores the copies of players.
type PlayerCopies interface {
	// Player returns a copy, also of a player who was merged, or ErrPlayerUnknown.
	Player(ctx context.Context, id string) (Player, error)
	// PlayerNamed returns the copy of the player whose name has the key (playername.Key), or
	// ErrPlayerUnknown.
	PlayerNamed(ctx context.Context, key string) (Player, error)
	// ApplyPlayer stores a player unless the copy is as new. The maps of a player who was
	// merged become those of the player they were merged into.
	ApplyPlayer(ctx context.Context, p Player) error
}

// PlayerOwner is the service that owns players. Its methods return a problem of kind
// unavailable where it cannot be asked.
type PlayerOwner interface {
	// Player returns a player, or ErrPlayerUnknown.
	Player(ctx context.Context, id string) (Player, error)
	// Ensure returns the player of a name, created as a placeholder where there is none.
	Ensure(ctx context.Context, name string) (Player, error)
}

// Players finds players: from the copies, and from their owner where a copy has not arrived.
type Players struct {
	Copies PlayerCopies
	Owner  PlayerOwner
}

// ByID returns the player, or the player whom they were merged into. It returns
// ErrPlayerUnknown, or a problem of kind unavailable where there is no copy and the owner
// cannot be asked.
func (p *Players) ByID(ctx context.Context, id string) (Player, error) {
	for {
		player, err := p.resolve(ctx, id)
		// Merges have no cycles: nobody is merged into a player who was merged.
		if err != nil || player.MergedInto == "" {
			return player, err
		}
		id = player.MergedInto
	}
}

func (p *Players) resolve(ctx context.Context, id string) (Player, error) {
	player, err := p.Copies.Player(ctx, id)
	if !errors.Is(err, ErrPlayerUnknown) {
		return player, err
	}
	if player, err = p.Owner.Player(ctx, id); err != nil {
		return Player{}, err
	}
	return p.store(ctx, player)
}

// ByName returns the player of a name, created by the owner as a placeholder where there is
// none. A name changes its player only by a merge, which transfers the maps too, so that a
// copy is as good as an answer.
func (p *Players) ByName(ctx context.Context, name string) (Player, error) {
	player, err := p.Copies.PlayerNamed(ctx, playername.Key(name))
	if !errors.Is(err, ErrPlayerUnknown) {
		return player, err
	}
	if player, err = p.Owner.Ensure(ctx, name); err != nil {
		return Player{}, err
	}
	return p.store(ctx, player)
}

// store stores an answer of the owner as a copy.
func (p *Players) store(ctx context.Context, player Player) (Player, error) {
	if player.Removed && player.MergedInto == "" {
		return Player{}, ErrPlayerUnknown
	}
	if err := p.Copies.ApplyPlayer(ctx, player); err != nil {
		return Player{}, fmt.Errorf("copy of player %s: %w", player.ID, err)
	}
	return player, nil
}
