package player

import (
	"context"
	"errors"

	"capzone.dev/platform/playername"
)

// Ensurer returns players by name and creates placeholders.
type Ensurer struct {
	Finder Finder
	Editor ByNameEditor
}

// Ensure returns the player of the name and creates a placeholder where there is none. Concurrent
// calls for one name return one player. It returns playername.ErrInvalid for a name that no account
// can have, unless an earlier release has created its player.
func (e *Ensurer) Ensure(ctx context.Context, name string) (Player, error) {
	// Most players are known; reading takes no lock.
	p, err := e.Finder.GetByName(ctx, name)
	if !errors.Is(err, ErrUnknown) {
		return p, err
	}
	if err := playername.Check(name); err != nil {
		return Player{}, err
	}
	return e.Editor.EditByName(ctx, name, func(*Player) (Effects, error) { return Effects{}, nil })
}
