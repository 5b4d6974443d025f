package parkourmap_test

import (
	"context"

	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/postgres"
)

// nameless is a store whose copies of players are lost.
type nameless struct{ *postgres.Store }

func (n nameless) Entry(ctx context.Context, id string) (parkourmap.Entry, error) {
	entry, err := n.Store.Entry(ctx, id)
	entry.Author = parkourmap.Player{ID: entry.AuthorID}
	entry.SubmittedBy = parkourmap.Player{ID: entry.SubmittedByID}
	return entry, err
}

// nothing stores no copies.
type nothing struct{}

func (nothing) Player(context.Context, string) (parkourmap.Player, error) {
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

func (nothing) PlayerNamed(context.Context, string) (parkourmap.Player, error) {
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

func (nothing) ApplyPlayer(context.Context, parkourmap.Player) error { return nil }

// finder is a players service that knows every player, unless it is away.
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
