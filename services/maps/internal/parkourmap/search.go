package parkourmap

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

const (
	// DefaultPageSize is the number of maps on a page where the request names none.
	DefaultPageSize = 12
	// popularTags is the number of tags that visitors choose from.
	popularTags = 20
	// maxTermLength is the length of the longest search term, in characters.
	maxTermLength = 100
)

// SortBy is what found maps are sorted by. Maps that are equal in it are sorted by id.
type SortBy string

// The orders of maps.
const (
	ByName    SortBy = "name"
	ByCreated SortBy = "createdAt"
	ByRecords SortBy = "recordCount"
	// ByNextMedal and ByRank are orders of maps that the caller has played. They leave out other maps.
	ByNextMedal = SortBy(event.ByNextMedal)
	ByRank      = SortBy(event.ByRank)
)

// Sort is an order of maps.
type Sort struct {
	By         SortBy
	Descending bool
}

// ParseSort parses the order of a search; empty texts mean the newest first. A direction that
// is not given is descending for times of creation and counts and ascending otherwise. It returns
// ErrSortUnknown.
func ParseSort(by, dir string) (Sort, error) {
	sort := Sort{By: SortBy(by)}
	switch sort.By {
	case "":
		sort.By = ByCreated
	case ByName, ByCreated, ByRecords, ByNextMedal, ByRank:
	default:
		return Sort{}, ErrSortUnknown.About("sortBy")
	}
	switch dir {
	case "":
		sort.Descending = sort.By == ByCreated || sort.By == ByRecords
	case "asc":
	case "desc":
		sort.Descending = true
	default:
		return Sort{}, ErrSortUnknown.About("sortDir")
	}
	return sort, nil
}

// ParseMode returns the parkour mode of a display name; an empty text means any mode. It
// returns ErrModeUnknown.
func ParseMode(display string) (bonkmap.Mode, error) {
	if display == "" {
		return bonkmap.NoMode, nil
	}
	for _, mode := range bonkmap.ParkourModes() {
		if mode.String() == display {
			return mode, nil
		}
	}
	return bonkmap.NoMode, ErrModeUnknown.About("gameMode")
}

// ParseProgress parses a filter by progress; an empty text means any maps. It returns ErrProgressUnknown.
func ParseProgress(text string) (event.ProgressFilter, error) {
	switch filter := event.ProgressFilter(text); filter {
	case "", event.Unplayed, event.Played, event.BelowGold, event.BelowAuthor, event.NotFirst, event.Near:
		return filter, nil
	}
	return "", ErrProgressUnknown.About("progress")
}

// ParseTags parses tags that are joined by commas.
func ParseTags(joined string) []string {
	var tags []string
	for tag := range strings.SplitSeq(joined, ",") {
		if tag = normalTag(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// Search selects maps. The zero value of a filter selects all maps.
type Search struct {
	// Name and Author match as search.Key and search.Query.WhereName say.
	Name, Author string
	AuthorID     string
	Mode         bonkmap.Mode
	// Tags must all be present.
	Tags []string
	// Progress selects maps by where the caller stands on them, judged by the personal best.
	Progress event.ProgressFilter
	Sort     Sort
	Page     Page
	// After is the position after which the page begins, or nil.
	After *Position
	// CallerID is the player whose progress counts. It is needed where IsPrivate.
	CallerID string
	// Played are the ids of maps that the caller has played, in their order: of those that Progress selects, or for
	// event.Unplayed of all. Reader.Search sets it where IsPrivate.
	Played [][16]byte
}

// IsPrivate reports whether the result depends on the caller.
func (s Search) IsPrivate() bool { return s.Progress != "" || s.Sort.IsPrivate() }

// IsPrivate reports whether the order depends on the caller.
func (s Sort) IsPrivate() bool { return s.By == ByNextMedal || s.By == ByRank }

// Page is the part of a list that is asked for.
type Page struct{ Offset, Limit int }

// List is a page of a list of maps.
type List struct {
	Entries []Entry
	// Total is the number of maps on all pages.
	Total int64
	// Next is the position after which the next page begins, and nil for the last page and in personal orders.
	Next *Position
}

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

// PlayedMaps finds what a player has played at the service that owns records.
type PlayedMaps interface {
	// FindPlayed returns the ids of maps on which a player has a personal best, in the order of event.PlayedMaps. It
	// returns a problem of kind unavailable where the owner cannot be asked.
	FindPlayed(ctx context.Context, q event.FindPlayed) ([][16]byte, error)
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

// Search returns the wanted page. A page past the end is empty. It returns ErrTermTooLong, and for a personal search
// ErrProgressUnavailable or the refusal of the service that owns records.
func (r *Reader) Search(ctx context.Context, s Search) (List, error) {
	for _, term := range []struct{ field, text string }{{"name", s.Name}, {"author", s.Author}} {
		if utf8.RuneCountInString(term.text) > maxTermLength {
			return List{}, ErrTermTooLong.About(term.field)
		}
	}
	if s.IsPrivate() {
		var err error
		if s.Played, err = r.findPlayed(ctx, s); err != nil {
			return List{}, err
		}
	}
	return r.Maps.Search(ctx, s)
}

// findPlayed returns Search.Played.
func (r *Reader) findPlayed(ctx context.Context, s Search) ([][16]byte, error) {
	q := event.FindPlayed{PlayerID: s.CallerID, Filter: s.Progress}
	if s.Progress == event.Unplayed {
		q.Filter = event.Played
	}
	if s.Sort.IsPrivate() {
		q.Order, q.Descending = event.ProgressOrder(s.Sort.By), s.Sort.Descending
	}
	found, err := r.Records.FindPlayed(ctx, q)
	if err != nil && problem.From(err).Kind == problem.KindUnavailable {
		return nil, ErrProgressUnavailable.Wrap(err)
	}
	return found, err
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
