package player

import (
	"context"
	"errors"

	"capzone.dev/platform/playername"
)

// Ensurer makes sure that there is a player of a name.
type Ensurer struct {
	Finder Finder
	Editor NamedEditor
}

// Ensure returns the player of the name and creates a placeholder where there is none.
// Concurrent calls for one name return one player. It returns playername.ErrInvalid for a
// name that no account can have, unless an earlier release has created its player.
func (e *Ensurer) Ensure(ctx context.Context, name string) (Player, error) {
	// Nearly always the player is known, and needs no lock.
	p, err := e.Finder.ByName(ctx, name)
	if !errors.Is(err, ErrUnknown) {
		return p, err
	}
	if err := playername.Check(name); err != nil {
		return Player{}, err
	}
	return e.Editor.EditNamed(ctx, name, func(*Player) (Effects, error) { return Effects{}, nil })
}
