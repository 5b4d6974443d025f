package parkourmap

import (
	"context"
	"time"

	"capzone.dev/platform/event"
)

// popularTags is the number of tags that visitors choose from.
const popularTags = 20

// Page is the part of a list that is asked for.
type Page struct{ Offset, Limit int }

// Queries reads maps. In its entries a player whose copy has not arrived, and the
// holder of a world record who was merged into another player, has an id and no name.
type Queries interface {
	// Entry returns a map that is not removed, or ErrMapUnknown.
	Entry(ctx context.Context, id string) (Entry, error)
	// ByID and ByGameMapID return a map, removed or not, or ErrMapUnknown: the one with an id, or of the versions of a
	// game map the one with the fingerprint, else the newest one that is not removed, else the newest one.
	ByID(ctx context.Context, id string) (Map, error)
	ByGameMapID(ctx context.Context, id int64, fingerprint string) (Map, error)
	// Search returns one page of the maps that match all filters.
	Search(ctx context.Context, s Search) (List, error)
	// Versions returns the versions of the game map that the map is a version of, the newest
	// first, without removed ones. It returns ErrMapUnknown, also for a removed map.
	Versions(ctx context.Context, id string) ([]Entry, error)
	// ImportedMap returns an imported map, also one that is on the site, or ErrImportedMapUnknown.
	ImportedMap(ctx context.Context, id string) (ImportedMap, error)
	// SearchWithoutReplay returns one page of the maps without a replay, sorted by name, and the number of all. The name
	// matches as in Search.
	SearchWithoutReplay(ctx context.Context, name string, page Page) ([]ImportedMap, int64, error)
	// EncodedMap returns a map that is not removed in the game's format, or ErrMapUnknown.
	EncodedMap(ctx context.Context, id string) (string, error)
	// IDs returns one page of the listed maps in the order of their ids, and the number of all.
	IDs(ctx context.Context, page Page) ([]ListedID, int64, error)
	// PopularTags returns at most limit tags, the most used first.
	PopularTags(ctx context.Context, limit int) ([]string, error)
}

// IDPageSize is the number of maps on a page of ids.
const IDPageSize = 10_000

// ListedID is the id of a listed map.
type ListedID struct {
	ID        string
	UpdatedAt time.Time
}

// Reader answers visitors who browse maps.
type Reader struct {
	Maps    Queries
	Records PlayedMaps
}

// Get returns a map, or ErrMapUnknown.
func (r *Reader) Get(ctx context.Context, id string) (Entry, error) {
	if !event.IsID(id) {
		return Entry{}, ErrMapUnknown
	}
	return r.Maps.Entry(ctx, id)
}

// GetMap answers event.GetMapSubject. It returns ErrMapUnknown.
func (r *Reader) GetMap(ctx context.Context, req event.GetMap) (event.MapState, error) {
	if req.ID == "" {
		m, err := r.Maps.ByGameMapID(ctx, req.GameMapID, req.Fingerprint)
		return m.State(), err
	}
	if !event.IsID(req.ID) {
		return event.MapState{}, ErrMapUnknown
	}
	m, err := r.Maps.ByID(ctx, req.ID)
	return m.State(), err
}

// Versions returns all versions of a map, the newest first, or ErrMapUnknown.
func (r *Reader) Versions(ctx context.Context, id string) ([]Entry, error) {
	if !event.IsID(id) {
		return nil, ErrMapUnknown
	}
	return r.Maps.Versions(ctx, id)
}

// Data returns a map in the game's format, or ErrMapUnknown.
func (r *Reader) Data(ctx context.Context, id string) (string, error) {
	if !event.IsID(id) {
		return "", ErrMapUnknown
	}
	return r.Maps.EncodedMap(ctx, id)
}

// PopularTags returns the tags that visitors choose from, the most used first.
func (r *Reader) PopularTags(ctx context.Context) ([]string, error) {
	return r.Maps.PopularTags(ctx, popularTags)
}

// IDs returns one page of the listed maps in the order of their ids, and the number of all.
func (r *Reader) IDs(ctx context.Context, page Page) ([]ListedID, int64, error) {
	return r.Maps.IDs(ctx, page)
}
