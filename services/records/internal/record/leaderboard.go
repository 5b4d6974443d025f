package record

import (
	"context"
	"errors"

	"capzone.dev/platform/event"
)

// Leaderboard asks for a page of a map's leaderboard.
type Leaderboard struct {
	MapID string
	// PlayerID asks for the row of one player alone, wherever it is. Empty for all.
	PlayerID string
	Page
}

// Queries reads records. In the entries it returns, a map or a player without a copy has
// only its id.
type Queries interface {
	// Leaderboard returns a page of a leaderboard with its ranks. It returns ErrMapUnknown if there is no copy of
	// the map, and ErrMapRemoved.
	Leaderboard(ctx context.Context, q Leaderboard) (EntryList, error)
	// List returns a page of the active records.
	List(ctx context.Context, q List) (EntryList, error)
	// Get returns an active record, with its rank if it is a personal best, or ErrRecordUnknown.
	Get(ctx context.Context, id string) (Entry, error)
}

// Reader answers queries.
type Reader struct {
	Queries Queries
	Maps    *Maps
	Players *Players
}

// Leaderboard returns a page of a map's leaderboard, which is empty past the end. It
// returns ErrMapUnknown or ErrMapRemoved, or a problem of kind unavailable if the map is
// not known here and its owner does not answer.
func (r *Reader) Leaderboard(ctx context.Context, q Leaderboard) (EntryList, error) {
	if !event.IsID(q.MapID) {
		return EntryList{}, ErrMapUnknown
	}
	if isInvalidID(q.PlayerID) {
		_, err := r.Maps.ByID(ctx, q.MapID)
		return EntryList{}, err
	}
	list, err := r.Queries.Leaderboard(ctx, q)
	if errors.Is(err, ErrMapUnknown) {
		if _, err := r.Maps.ByID(ctx, q.MapID); err != nil {
			return EntryList{}, err
		}
		list, err = r.Queries.Leaderboard(ctx, q)
	}
	if err != nil {
		return EntryList{}, err
	}
	r.fillNames(ctx, list.Entries)
	return list, nil
}

// isInvalidID reports whether a filter is set to what is not an id, and so matches nothing.
func isInvalidID(id string) bool { return id != "" && !event.IsID(id) }
