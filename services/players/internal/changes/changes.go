// Package changes tells which pages are not what they were, after players and
// their totals have changed in the database. It tells so also where a change
// failed: a commit whose answer was lost may have happened.
package changes

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/pages"
	"capzone.dev/platform/problem"
	"capzone.dev/services/players/internal/player"
)

// Pages is told what has changed.
type Pages interface {
	Changed(ctx context.Context, tags ...pages.Tag)
}

// Editor changes players.
type Editor struct {
	Players interface {
		player.Editor
		player.NamedEditor
	}
	Pages Pages
}

// Edit implements player.Editor.
func (e Editor) Edit(ctx context.Context, id string, edit player.Edit) (player.Player, error) {
	p, err := e.Players.Edit(ctx, id, edit)
	e.Pages.Changed(ctx, pages.Player(id), pages.Players)
	return p, err
}

// EditNamed implements player.NamedEditor.
func (e Editor) EditNamed(ctx context.Context, name string, edit player.Edit) (player.Player, error) {
	p, err := e.Players.EditNamed(ctx, name, edit)
	if err == nil {
		e.Pages.Changed(ctx, pages.Player(p.ID), pages.Players)
		return p, nil
	}
	switch problem.From(err).Kind {
	case problem.KindInternal, problem.KindUnavailable:
		e.Pages.Changed(ctx, pages.Everything) // if anybody was changed, it is not known who
	default: // a refusal changes nothing
	}
	return p, err
}

// Totals keeps what players have.
type Totals interface {
	TakeMap(ctx context.Context, m event.MapState) error
	TakeStats(ctx context.Context, s event.PlayerStats) error
}

// Copies are the copies of what players have.
type Copies struct {
	Totals Totals
	Pages  Pages
}

// TakeMap implements Totals.
func (c Copies) TakeMap(ctx context.Context, m event.MapState) error {
	err := c.Totals.TakeMap(ctx, m)
	if m.Version == 1 {
		c.Pages.Changed(ctx, pages.Player(m.AuthorID))
	} else {
		// Who was its author until now is not known here.
		c.Pages.Changed(ctx, pages.Everything)
	}
	return err
}

// TakeStats implements Totals.
func (c Copies) TakeStats(ctx context.Context, s event.PlayerStats) error {
	err := c.Totals.TakeStats(ctx, s)
	c.Pages.Changed(ctx, pages.Player(s.PlayerID))
	return err
}
