package parkourmap

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/playername"
)

// Player is the copy of a player who made or submitted maps.
type Player = event.PlayerState

// PlayerCopies stores the copies of players.
type PlayerCopies interface {
	lookup.PlayerCopies
	// PlayerNamed returns the copy of the player whose name has the key (playername.Key), or ErrPlayerUnknown.
	PlayerNamed(ctx context.Context, key string) (Player, error)
}

// PlayerOwner is the service that owns players. Its methods return a problem of kind
// unavailable where it cannot be asked.
type PlayerOwner interface {
	// Player returns a player, or ErrPlayerUnknown.
	Player(ctx context.Context, id string) (Player, error)
	// Ensure returns the player of a name, created as a placeholder where there is none.
	Ensure(ctx context.Context, name string) (Player, error)
}

// Players finds players: in the copies, and at their owner where a copy has not arrived. Its
// method Get finds a player by id, or the player whom they were merged into.
type Players struct {
	*lookup.Lookup[Player]
	copies PlayerCopies
	owner  PlayerOwner
}

// NewPlayers returns the players in copies, who belong to owner.
func NewPlayers(copies PlayerCopies, owner PlayerOwner) *Players {
	return &Players{lookup.NewPlayers(copies, owner.Player), copies, owner}
}

// ByName returns the player of a name, created by the owner as a placeholder where there is none. A name changes its
// player only by a merge, which transfers the maps too, so that a copy is as good as an answer.
func (p *Players) ByName(ctx context.Context, name string) (Player, error) {
	return p.Find(ctx,
		func(ctx context.Context) (Player, error) { return p.copies.PlayerNamed(ctx, playername.Key(name)) },
		func(ctx context.Context) (Player, error) { return p.owner.Ensure(ctx, name) })
}
