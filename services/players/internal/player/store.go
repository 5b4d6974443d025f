package player

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
)

// Finder reads one player.
type Finder interface {
	// Get returns a player, also one who was merged, or ErrUnknown, also for an invalid id.
	Get(ctx context.Context, id string) (Player, error)
	// GetByName returns the player who has the name or, where there is none, who had it formerly.
	// It returns ErrUnknown.
	GetByName(ctx context.Context, name string) (Player, error)
}

// Editor changes players one at a time.
type Editor interface {
	// Edit locks a player, calls edit, and stores the edited player with the next version, its
	// state event and the effects. An edit that changes nothing has no effects. It returns
	// ErrUnknown, ErrMerged, or the error of edit.
	Edit(ctx context.Context, id string, edit Edit) (Player, error)
}

// ByNameEditor changes players by their names.
type ByNameEditor interface {
	// EditByName is Edit for the player who has the name. It creates a placeholder where there is
	// none, and takes the name from the player who had it formerly.
	EditByName(ctx context.Context, name string, edit Edit) (Player, error)
}

// PairEditor changes two players at once.
type PairEditor interface {
	// EditPair is Edit for two different players. The effects belong to the first.
	EditPair(ctx context.Context, firstID, secondID string, edit EditPair) (first, second Player, err error)
}

// Edit changes a player and returns the effects of the change.
type Edit func(p *Player) (Effects, error)

// EditPair changes two players and returns the effects of the change.
type EditPair func(first, second *Player) (Effects, error)

// Effects are stored in the transaction that stores the player.
type Effects struct {
	Facts []event.Fact
	// Audit is set for a change by an operator, an admin or a moderator.
	Audit *AuditEntry
	// Avatar is the upload of a new avatar.
	Avatar objectstore.Upload
}

// AuditEntry is an entry of the audit log.
type AuditEntry struct {
	// Actor is an operator's account on the machine, or a player's id.
	Actor  string
	Action string
	Reason string
	// Details are the changed values.
	Details map[string]any
}

// resolveMerged returns the player with the id or, for a player who was merged, the one who has it
// all now. Players are never merged into a merged player, so this ends.
func resolveMerged(ctx context.Context, finder Finder, id string) (Player, error) {
	for {
		p, err := finder.Get(ctx, id)
		if err != nil || p.MergedInto == "" {
			return p, err
		}
		id = p.MergedInto
	}
}
