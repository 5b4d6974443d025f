// Package changes tells which pages are not what they were, after maps, players
// and record counts have changed in the database. It tells so also where a change
// failed: a commit whose answer was lost may have happened.
package changes

import (
	"context"

	"capzone.dev/platform/pages"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Pages is told what has changed.
type Pages interface {
	Changed(ctx context.Context, tags ...pages.Tag)
}

// Creations is where new maps are kept.
type Creations struct {
	parkourmap.Creations
	Pages Pages
}

// Create implements parkourmap.Creations.
func (c Creations) Create(ctx context.Context, creation parkourmap.Creation) (parkourmap.Entry, error) {
	entry, err := c.Creations.Create(ctx, creation)
	c.Pages.Changed(ctx, pages.Map(creation.Map.ID), pages.Maps)
	return entry, err
}

// Players are the copies of players.
type Players struct {
	parkourmap.PlayerCopies
	Pages Pages
}

// TakePlayer implements parkourmap.PlayerCopies.
func (p Players) TakePlayer(ctx context.Context, state parkourmap.Player) error {
	err := p.PlayerCopies.TakePlayer(ctx, state)
	p.Pages.Changed(ctx, pages.OfCopy(state.Removed, pages.Player(state.ID), pages.AuthorNames)...)
	return err
}

// RecordCounts keeps how many records maps have.
type RecordCounts interface {
	TakeRecords(ctx context.Context, mapID string, version, records int64) error
}

// Records are the copies of record counts.
type Records struct {
	RecordCounts
	Pages Pages
}

// TakeRecords implements RecordCounts.
func (r Records) TakeRecords(ctx context.Context, mapID string, version, records int64) error {
	err := r.RecordCounts.TakeRecords(ctx, mapID, version, records)
	r.Pages.Changed(ctx, pages.Map(mapID), pages.MapRecords)
	return err
}
