package player

import (
	"context"

	"capzone.dev/platform/event"
)

// Editor changes players one at a time, so that two changes of one player
// never overlap.
type Editor interface {
	// Edit locks the player of the id and lets edit alter it. The altered player
	// gets a higher version, and its state and its trace are stored with it.
	// An edit that alters nothing leaves no trace. Returns ErrUnknown, or what
	// edit returns.
	Edit(ctx context.Context, id string, edit Edit) (Player, error)
}

// NamedEditor changes players by their names.
type NamedEditor interface {
	// EditNamed is Edit for the player of a name, which is made as a
	// placeholder where there is none.
	EditNamed(ctx context.Context, name string, edit Edit) (Player, error)
}

// Edit alters a player and says what else the change leaves behind.
type Edit func(p *Player) (Trace, error)

// Trace is what is stored together with a changed player.
type Trace struct {
	Facts []event.Fact
	// Act is set when an operator or an admin did it.
	Act *Act
	// Avatar is the upload that the player's avatar names from now on.
	Avatar Upload
}

// Act is an entry of the audit log.
type Act struct {
	// Actor is an operator's account on the machine, or a player's id.
	Actor  string
	Action string
	Reason string
	// Details say what was changed.
	Details map[string]any
}

// Upload is a file in storage that no player names yet.
type Upload interface {
	Key() string
}

// Finder reads one player.
type Finder interface {
	// ByID returns ErrUnknown, also for what is no id at all.
	ByID(ctx context.Context, id string) (Player, error)
	// ByName returns ErrUnknown. Names are compared as the game compares them.
	ByName(ctx context.Context, name string) (Player, error)
}
