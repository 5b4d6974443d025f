package parkourmap

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/event"
)

// ImportedMap is a map of the game that an operator has imported. It is on the list of maps without a replay until a
// version of it is on the site.
type ImportedMap struct {
	// ID is a UUIDv7.
	ID        string
	GameMapID int64
	Name      string
	// Authors are names of accounts of the game, who need not be players.
	Authors []string
	// Page is an https address about the map, or empty.
	Page       string
	ImportedAt time.Time
	// UpdatedAt is when an import changed the map the last time.
	UpdatedAt time.Time
	// MapID is the newest version of the map on the site, empty while there is none.
	MapID string
}

// hasSameContent reports whether an import of other would change nothing.
func (m ImportedMap) hasSameContent(other ImportedMap) bool {
	return m.Name == other.Name && m.Page == other.Page && slices.Equal(m.Authors, other.Authors)
}

// GetImported returns an imported map, also one that is on the site, or ErrImportedMapUnknown.
func (r *Reader) GetImported(ctx context.Context, id string) (ImportedMap, error) {
	if !event.IsID(id) {
		return ImportedMap{}, ErrImportedMapUnknown
	}
	return r.Maps.ImportedMap(ctx, id)
}

// SearchWithoutReplay returns the wanted page of the maps without a replay, and the number of all. A page past the end
// is empty. It returns ErrTermTooLong.
func (r *Reader) SearchWithoutReplay(ctx context.Context, name string, page Page) ([]ImportedMap, int64, error) {
	if utf8.RuneCountInString(name) > maxTermLength {
		return nil, 0, ErrTermTooLong.About("name")
	}
	return r.Maps.SearchWithoutReplay(ctx, name, page)
}
