package record

import (
	"context"

	"capzone.dev/platform/replica"
)

// MapCopies stores the copies of maps.
type MapCopies interface {
	// Map returns the copy of a map, also a tombstone, or ErrMapUnknown.
	Map(ctx context.Context, id string) (Map, error)
	// MapByGameID returns the copy of the map with the game's id that is not removed, or ErrMapUnknown.
	MapByGameID(ctx context.Context, gameMapID int64) (Map, error)
	// ApplyMap stores the map if its version is higher than the copy's. A tombstone is final: it clears the
	// map's leaderboard and subtracts its records from all totals.
	ApplyMap(ctx context.Context, m Map) error
}

// MapOwner is the service that owns maps. It also returns removed maps.
type MapOwner interface {
	// Map returns a map, ErrMapUnknown, or a problem of kind unavailable.
	Map(ctx context.Context, id string) (Map, error)
	// MapByGameID is Map by the game's id.
	MapByGameID(ctx context.Context, gameMapID int64) (Map, error)
}

// Maps finds maps in the copies, and asks the owner for a map whose copy has not arrived. Its
// method Get finds a map by id. It returns ErrMapUnknown or ErrMapRemoved, or a problem of kind
// unavailable if there is no copy and the owner does not answer.
type Maps struct {
	*replica.Replica[Map]
	copies MapCopies
	owner  MapOwner
}

// NewMaps returns the maps in copies, which belong to owner.
func NewMaps(copies MapCopies, owner MapOwner) *Maps {
	return &Maps{&replica.Replica[Map]{
		Load:  copies.Map,
		Apply: copies.ApplyMap,
		Ask:   owner.Map,
		Header: func(m Map) replica.Header {
			return replica.Header{ID: m.ID, Version: m.Version, Removed: m.Removed}
		},
		ErrUnknown: ErrMapUnknown,
		ErrRemoved: ErrMapRemoved,
	}, copies, owner}
}

// ByGameID is Get by the game's own id of the map.
func (m *Maps) ByGameID(ctx context.Context, gameMapID int64) (Map, error) {
	if gameMapID <= 0 {
		return Map{}, ErrMapUnknown
	}
	return m.Find(ctx,
		func(ctx context.Context) (Map, error) { return m.copies.MapByGameID(ctx, gameMapID) },
		func(ctx context.Context) (Map, error) { return m.owner.MapByGameID(ctx, gameMapID) })
}
