package record

import (
	"context"

	"capzone.dev/platform/replica"
)

// PlayerCopies stores the copies of players.
type PlayerCopies interface {
	// Player returns the copy of a player, also a tombstone, or ErrPlayerUnknown.
	Player(ctx context.Context, id string) (Player, error)
	// ApplyPlayer stores the player if its version is higher than the copy's. The records of a player who was
	// merged are transferred to the player they were merged into.
	ApplyPlayer(ctx context.Context, p Player) error
}

// PlayerOwner is the service that owns players.
type PlayerOwner interface {
	// Player returns a player, ErrPlayerUnknown, or a problem of kind unavailable.
	Player(ctx context.Context, id string) (Player, error)
}

// Players finds players in the copies, and asks the owner for a player whose copy has not
// arrived.
type Players struct {
	replica replica.Replica[Player]
}

// NewPlayers returns the players in copies, who belong to owner.
func NewPlayers(copies PlayerCopies, owner PlayerOwner) *Players {
	return &Players{replica.Replica[Player]{
		Load:  copies.Player,
		Apply: copies.ApplyPlayer,
		Ask:   owner.Player,
		Header: func(p Player) replica.Header {
			return replica.Header{ID: p.ID, Version: p.Version, Removed: p.Removed, MergedInto: p.MergedInto}
		},
		ErrUnknown: ErrPlayerUnknown,
		ErrRemoved: ErrPlayerUnknown,
	}}
}

// ByID returns the player, or the player they were merged into, or ErrPlayerUnknown. If
// there is no copy and the owner does not answer, the problem is of kind unavailable.
func (p *Players) ByID(ctx context.Context, id string) (Player, error) { return p.replica.Get(ctx, id) }
