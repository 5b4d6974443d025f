// Package changes tells which pages are not what they were, after runs, maps and
// players have changed in the database. It tells so also where a change failed:
// a commit whose answer was lost may have happened.
package changes

import (
	"context"

	"capzone.dev/platform/pages"
	"capzone.dev/services/records/internal/record"
)

// Pages is told what has changed.
type Pages interface {
	Changed(ctx context.Context, tags ...pages.Tag)
}

// Runs is where runs are kept.
type Runs struct {
	record.Runs
	Pages Pages
}

// Add implements record.Runs.
func (r Runs) Add(ctx context.Context, a record.Addition) (record.Standing, error) {
	standing, err := r.Runs.Add(ctx, a)
	r.Pages.Changed(ctx, pages.Map(a.Run.MapID), pages.Player(a.Run.PlayerID), pages.Runs, pages.Totals)
	return standing, err
}

// Maps are the copies of maps.
type Maps struct {
	record.MapCopies
	Pages Pages
}

// TakeMap implements record.MapCopies.
func (m Maps) TakeMap(ctx context.Context, state record.Map) error {
	err := m.MapCopies.TakeMap(ctx, state)
	m.Pages.Changed(ctx, pages.OfCopy(state.Removed, pages.Map(state.ID), pages.Totals)...)
	return err
}

// Players are the copies of players.
type Players struct {
	record.PlayerCopies
	Pages Pages
}

// TakePlayer implements record.PlayerCopies.
func (p Players) TakePlayer(ctx context.Context, state record.Player) error {
	err := p.PlayerCopies.TakePlayer(ctx, state)
	p.Pages.Changed(ctx, pages.OfCopy(state.Removed, pages.Player(state.ID), pages.Totals)...)
	return err
}
