package player

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
)

// Editor changes players one at a time, so that two changes of one player
// never overlap.
type Editor interface {
	// Edit locks the player of the id and lets edit alter it. The altered player
	// gets a higher version, and its state and its effects are stored with it.
	// An edit that alters nothing has no effects. Returns ErrUnknown, ErrMerged,
	// or what edit returns.
	Edit(ctx context.Context, id string, edit Edit) (Player, error)
}

// NamedEditor changes players by their names.
type NamedEditor interface {
	// EditNamed is Edit for the player of a name, which is made as a
	// placeholder where there is none. A name that somebody else had formerly is
	// theirs no more then.
	EditNamed(ctx context.Context, name string, edit Edit) (Player, error)
}

// PairEditor changes two players at once.
type PairEditor interface {
	// EditPair is Edit for two different players. The effects are the first one's.
	EditPair(ctx context.Context, firstID, secondID string, edit func(first, second *Player) (Effects, error)) (first, second Player, err error)
}

// Edit alters a player and says what else the change leaves behind.
type Edit func(p *Player) (Effects, error)

// Effects are what is stored together with a changed player.
type Effects struct {
	Facts []event.Fact
	// Audit is set when an operator or an admin did it.
	Audit *AuditEntry
	// Avatar is the upload that the player's avatar names from now on.
	Avatar objectstore.Upload
}

// AuditEntry is an entry of the audit log.
type AuditEntry struct {
	// Actor is an operator's account on the machine, or a player's id.
	Actor  string
	Action string
	Reason string
	// Details say what was changed.
	Details map[string]any
}

// Finder reads one player.
type Finder interface {
	// ByID returns ErrUnknown, also for what is no id at all. A player who was
	// merged is returned as such.
	ByID(ctx context.Context, id string) (Player, error)
	// ByName returns the player of a name or, where there is none, whose name it
	// was formerly; else ErrUnknown. Names are compared as the game compares them.
	ByName(ctx context.Context, name string) (Player, error)
}

// present returns the player of the id, or whom they were merged into. Nobody
// is merged in a circle: a player who was merged is never merged into.
func present(ctx context.Context, finder Finder, id string) (Player, error) {
	for {
		p, err := finder.ByID(ctx, id)
		if err != nil || p.MergedInto == "" {
			return p, err
		}
		id = p.MergedInto
	}
}
