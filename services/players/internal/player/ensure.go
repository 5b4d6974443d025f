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

// Ensure returns the player of the name, made as a placeholder where nobody is
// known by it. Calls for one name that overlap return one player. Returns
// playername.ErrInvalid.
func (e *Ensurer) Ensure(ctx context.Context, name string) (Player, error) {
	if err := playername.Check(name); err != nil {
		return Player{}, err
	}
	// Nearly always the player is known, and needs no lock.
	p, err := e.Finder.ByName(ctx, name)
	if !errors.Is(err, ErrUnknown) {
		return p, err
	}
	return e.Editor.EditNamed(ctx, name, func(*Player) (Effects, error) { return Effects{}, nil })
}
