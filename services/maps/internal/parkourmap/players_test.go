package parkourmap_test

import (
	"context"

	"capzone.dev/services/maps/internal/maptest"
	"capzone.dev/services/maps/internal/parkourmap"
)

// nameless is a catalogue whose copies of players are lost.
type nameless struct{ *maptest.Memory }

func (n nameless) Entry(ctx context.Context, id string) (parkourmap.Entry, error) {
	entry, err := n.Memory.Entry(ctx, id)
	entry.Author = parkourmap.Player{ID: entry.AuthorID}
	entry.SubmittedBy = parkourmap.Player{ID: entry.SubmittedByID}
	return entry, err
}

// nothing has no copies and keeps none.
type nothing struct{}

func (nothing) Player(context.Context, string) (parkourmap.Player, error) {
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

func (nothing) PlayerNamed(context.Context, string) (parkourmap.Player, error) {
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

func (nothing) TakePlayer(context.Context, parkourmap.Player) error { return nil }

// finder knows everybody, unless it is away.
type finder struct {
	away  bool
	asked int
}

func (f *finder) Player(_ context.Context, id string) (parkourmap.Player, error) {
	f.asked++
	if f.away {
		return parkourmap.Player{}, errAway
	}
	return parkourmap.Player{ID: id, Version: 1, Name: "found again"}, nil
}

func (f *finder) Ensure(context.Context, string) (parkourmap.Player, error) {
	return parkourmap.Player{}, errAway
}
