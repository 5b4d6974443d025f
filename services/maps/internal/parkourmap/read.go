package parkourmap

import (
	"context"
	"strings"
	"unicode/utf8"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/problem"
)

// What a search may ask for.
const (
	// DefaultPageSize is how many maps a page has where nobody says otherwise.
	DefaultPageSize = 12
	// PopularTags is how many of the most used tags are told.
	PopularTags = 20
	// longestTerm is the longest search term, in characters.
	longestTerm = 100
)

// SortBy is what found maps are sorted by.
type SortBy string

// What maps can be sorted by. Maps that are equal in it come in the order of their ids.
const (
	ByName    SortBy = "name"
	ByCreated SortBy = "createdAt"
	ByRecords SortBy = "recordCount"
)

// ReadSort reads how to sort; empty texts mean the newest first. A direction that is not given is
// ascending for names and descending for the others. Returns ErrSortUnknown.
func ReadSort(by, dir string) (sort SortBy, descending bool, err error) {
	sort = SortBy(by)
	switch sort {
	case "":
		sort = ByCreated
	case ByName, ByCreated, ByRecords:
	default:
		return "", false, ErrSortUnknown.WithField("sortBy", ErrSortUnknown.Message)
	}
	switch dir {
	case "":
		return sort, sort != ByName, nil
	case "asc":
		return sort, false, nil
	case "desc":
		return sort, true, nil
	}
	return "", false, ErrSortUnknown.WithField("sortDir", ErrSortUnknown.Message)
}

// Search says which maps are looked for. The zero value of a filter filters nothing.
type Search struct {
	// Name and Author are any part of the name, without regard to case or accents.
	Name, Author string
	AuthorID     string
	Mode         bonkmap.Mode
	// Tags must all be present. They are normal (NormalTag).
	Tags          []string
	SortBy        SortBy
	Descending    bool
	Limit, Offset int
}

// Page is a part of what was found.
type Page struct {
	Entries []Entry
	// Total counts everything that was found, on all pages.
	Total int64
}

// Catalogue is where maps are found.
type Catalogue interface {
	// Entry returns a map that was not removed, or ErrMapUnknown. Of a player whose copy has not arrived, the
	// entry has nothing but the id.
	Entry(ctx context.Context, id string) (Entry, error)
	// Search returns the asked part of the maps that match.
	Search(ctx context.Context, s Search) (Page, error)
	// PopularTags returns at most limit tags, the most used first.
	PopularTags(ctx context.Context, limit int) ([]string, error)
}

// ReadTags reads tags joined by commas.
func ReadTags(joined string) []string {
	var tags []string
	for tag := range strings.SplitSeq(joined, ",") {
		if tag = NormalTag(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// Reader answers who browses maps.
type Reader struct {
	Catalogue Catalogue
	Players   *Players
}

// ReadMode finds a parkour mode by its display name; an empty text means any. Returns ErrModeUnknown.
func ReadMode(display string) (bonkmap.Mode, error) {
	if display == "" {
		return bonkmap.NoMode, nil
	}
	for _, mode := range bonkmap.ParkourModes() {
		if mode.String() == display {
			return mode, nil
		}
	}
	return bonkmap.NoMode, ErrModeUnknown.WithField("gameMode", ErrModeUnknown.Message)
}

// Get returns a map. Returns ErrMapUnknown.
func (r *Reader) Get(ctx context.Context, id string) (Entry, error) {
	entry, err := r.Catalogue.Entry(ctx, id)
	if err != nil {
		return Entry{}, err
	}
	entries := []Entry{entry}
	r.nameUnknown(ctx, entries)
	return entries[0], nil
}

// Search returns the asked page. A page past the end is empty. Returns ErrTermTooLong.
func (r *Reader) Search(ctx context.Context, s Search) (Page, error) {
	for field, term := range map[string]string{"name": s.Name, "author": s.Author} {
		if utf8.RuneCountInString(term) > longestTerm {
			return Page{}, ErrTermTooLong.WithField(field, ErrTermTooLong.Message)
		}
	}
	page, err := r.Catalogue.Search(ctx, s)
	if err != nil {
		return Page{}, err
	}
	r.nameUnknown(ctx, page.Entries)
	return page, nil
}

// PopularTags returns the most used tags, the most used first.
func (r *Reader) PopularTags(ctx context.Context) ([]string, error) {
	return r.Catalogue.PopularTags(ctx, PopularTags)
}

// unknownName stands in for a player whose copy has not arrived and who cannot be
// asked for.
const unknownName = "Unknown"

// nameUnknown completes the players whose copies have not arrived. A page does
// not fail for that, and it asks no further once the owner is away.
func (r *Reader) nameUnknown(ctx context.Context, entries []Entry) {
	asked := map[string]Player{}
	away := false
	name := func(p *Player) {
		if p.Name != "" {
			return
		}
		known, ok := asked[p.ID]
		if !ok {
			known = Player{ID: p.ID, Name: unknownName}
			if !away {
				found, err := r.Players.ByID(ctx, p.ID)
				if err == nil {
					known = found
				}
				away = err != nil && problem.From(err).Kind != problem.KindNotFound
			}
			asked[p.ID] = known
		}
		*p = known
	}
	for i := range entries {
		name(&entries[i].Author)
		name(&entries[i].SubmittedBy)
	}
}
