package record

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// Get returns an active record, with its rank if it is a personal best. It returns
// ErrRecordUnknown.
func (r *Reader) Get(ctx context.Context, id string) (Entry, error) {
	if !event.IsID(id) {
		return Entry{}, ErrRecordUnknown
	}
	entry, err := r.Queries.Get(ctx, id)
	if err != nil {
		return Entry{}, err
	}
	entries := []Entry{entry}
	r.fillNames(ctx, entries)
	return entries[0], nil
}

// unknownName is shown for a map or a player that has no copy and whose owner does not
// know it or does not answer.
const unknownName = "Unknown"

// fillNames completes the entries whose map or player has no copy, by asking the owner
// once for each. After an owner has not answered, it asks no more: a page does not fail
// for a missing name.
func (r *Reader) fillNames(ctx context.Context, entries []Entry) {
	maps, players := map[string]Map{}, map[string]Player{}
	unavailable := false
	note := func(err error) {
		unavailable = unavailable || err != nil && problem.From(err).Kind != problem.KindNotFound
	}
	for i := range entries {
		e := &entries[i]
		if e.Map.Name == "" {
			if _, ok := maps[e.MapID]; !ok {
				maps[e.MapID] = Map{ID: e.MapID, Name: unknownName}
				if !unavailable {
					m, err := r.Maps.ByID(ctx, e.MapID)
					if err == nil {
						maps[e.MapID] = m
					}
					note(err)
				}
			}
			e.Map = maps[e.MapID]
		}
		if e.Player.Name == "" {
			if _, ok := players[e.PlayerID]; !ok {
				players[e.PlayerID] = Player{ID: e.PlayerID, Name: unknownName}
				if !unavailable {
					p, err := r.Players.ByID(ctx, e.PlayerID)
					if err == nil {
						players[e.PlayerID] = p
					}
					note(err)
				}
			}
			e.Player = players[e.PlayerID]
		}
	}
}
