package parkourmap

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/event"
)

// ListedMap is a map of the game that an operator has imported. It is on the list of maps without a replay until a
// version of it is on the site.
type ListedMap struct {
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
func (m ListedMap) hasSameContent(other ListedMap) bool {
	return m.Name == other.Name && m.Page == other.Page && slices.Equal(m.Authors, other.Authors)
}

// ListedSearch selects maps without a replay, which are sorted by name.
type ListedSearch struct {
	// Name matches as in Search.
	Name string
	Page Page
}

// ListedMaps is a page of a list of maps without a replay.
type ListedMaps struct {
	Maps []ListedMap
	// Total is the number of maps on all pages.
	Total int64
}

// ListedQueries reads imported maps.
type ListedQueries interface {
	// ListedMap returns an imported map, also one that is on the site, or ErrListedMapUnknown.
	ListedMap(ctx context.Context, id string) (ListedMap, error)
	// SearchListed returns one page of the maps without a replay.
	SearchListed(ctx context.Context, s ListedSearch) (ListedMaps, error)
}

// ListedReader answers visitors who look for maps without a replay.
type ListedReader struct{ Maps ListedQueries }

// Get returns an imported map, also one that is on the site, or ErrListedMapUnknown.
func (r *ListedReader) Get(ctx context.Context, id string) (ListedMap, error) {
	if !event.IsID(id) {
		return ListedMap{}, ErrListedMapUnknown
	}
	return r.Maps.ListedMap(ctx, id)
}

// Search returns the wanted page. A page past the end is empty. It returns ErrTermTooLong.
func (r *ListedReader) Search(ctx context.Context, s ListedSearch) (ListedMaps, error) {
	if utf8.RuneCountInString(s.Name) > maxTermLength {
		return ListedMaps{}, ErrTermTooLong.About("name")
	}
	return r.Maps.SearchListed(ctx, s)
}
