package record

import (
	"context"
	"errors"
	"fmt"

	"capzone.dev/platform/event"
)

// MapCopies keeps what this service knows of maps.
type MapCopies interface {
	// Map returns the copy of a map, also a tombstone, or ErrMapUnknown where none has arrived.
	Map(ctx context.Context, id string) (Map, error)
	// MapByGameID returns the copy of the standing map with the game's id, or ErrMapUnknown.
	MapByGameID(ctx context.Context, id int64) (Map, error)
	// TakeMap stores the map unless the copy is as new. A tombstone takes the map's leaderboard and totals along.
	TakeMap(ctx context.Context, m Map) error
}

// MapOwner is the service that owns maps. It also knows what was taken down.
type MapOwner interface {
	// Map returns a map, ErrMapUnknown, or a problem of kind unavailable.
	Map(ctx context.Context, id string) (Map, error)
	// MapByGameID is Map by the game's id.
	MapByGameID(ctx context.Context, id int64) (Map, error)
}

// Maps knows the maps: from its own copies, and from their owner where a copy
// has not arrived yet.
type Maps struct {
	Copies MapCopies
	Owner  MapOwner
}

// ByID returns the map, ErrMapUnknown or ErrMapRemoved. Where there is no copy
// and the owner cannot be asked, the problem is of kind unavailable.
func (m *Maps) ByID(ctx context.Context, id string) (Map, error) {
	if !event.IsID(id) {
		return Map{}, ErrMapUnknown
	}
	found, err := m.Copies.Map(ctx, id)
	if errors.Is(err, ErrMapUnknown) {
		return m.fetch(ctx, id)
	}
	return standing(found, err)
}

// ByGameID is ByID by the game's own id of the map.
func (m *Maps) ByGameID(ctx context.Context, id int64) (Map, error) {
	if id <= 0 {
		return Map{}, ErrMapUnknown
	}
	found, err := m.Copies.MapByGameID(ctx, id)
	if !errors.Is(err, ErrMapUnknown) {
		return found, err
	}
	found, err = m.Owner.MapByGameID(ctx, id)
	if err == nil && found.Removed {
		// Copies of removed maps are not found by the game's id. Taking one in again would change nothing, but
		// empty the gateways' memory.
		if known, err := m.Copies.Map(ctx, found.ID); err == nil && known.Removed {
			return Map{}, ErrMapRemoved
		}
	}
	return m.keep(ctx, found, err)
}

// fetch asks the owner and keeps the answer for the next time.
func (m *Maps) fetch(ctx context.Context, id string) (Map, error) {
	found, err := m.Owner.Map(ctx, id)
	return m.keep(ctx, found, err)
}

func (m *Maps) keep(ctx context.Context, found Map, err error) (Map, error) {
	if err != nil {
		return Map{}, err
	}
	if err := m.Copies.TakeMap(ctx, found); err != nil {
		return Map{}, fmt.Errorf("copy of map %s: %w", found.ID, err)
	}
	return standing(found, nil)
}

func standing(m Map, err error) (Map, error) {
	if err == nil && m.Removed {
		return Map{}, ErrMapRemoved
	}
	return m, err
}
