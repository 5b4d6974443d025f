package parkourmap

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
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

// ParseSort parses the order of a search; empty texts mean the newest first. A direction that is not given is
// descending for times of creation and counts and ascending otherwise. It returns ErrSortUnknown.
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

// ParseMode returns the parkour mode of a display name; an empty text means any mode. It returns ErrModeUnknown.
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

// List is a page of a list of maps.
type List struct {
	Entries []Entry
	// Total is the number of maps on all pages.
	Total int64
	// Next is the position after which the next page begins, and nil for the last page and in personal orders.
	Next *Position
}

// PlayedMaps finds what a player has played at the service that owns records.
type PlayedMaps interface {
	// FindPlayed returns the ids of maps on which a player has a personal best, in the order of event.PlayedMaps. It
	// returns a problem of kind unavailable where the owner cannot be asked.
	FindPlayed(ctx context.Context, q event.FindPlayed) ([][16]byte, error)
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

// Position is the place of a map in a search. The maps after it are the same wherever others are added or removed.
type Position struct {
	// Value is what the maps are sorted by: the search key of the name, the time of creation in microseconds, or the
	// number of records.
	Value string
	ID    string
}

// cursorOrders are the orders of searches in cursors. Personal orders have none.
var cursorOrders = map[Sort]string{
	{By: ByName}: "n", {By: ByName, Descending: true}: "N", {By: ByCreated}: "c", {By: ByCreated, Descending: true}: "C",
	{By: ByRecords}: "r", {By: ByRecords, Descending: true}: "R",
}

// Cursor returns a position in the search as clients get it. They are told nothing of its form.
func (s Search) Cursor(p Position) string {
	return base64.RawURLEncoding.EncodeToString([]byte(s.cursorPrefix() + p.ID + p.Value))
}

// cursorPrefix returns what the cursors of a search begin with: its order, and a digest of its filters.
func (s Search) cursorPrefix() string {
	filters := fmt.Appendf(nil, "%q %q %q %q %q %q", s.Name, s.Author, s.AuthorID, s.Mode, s.Tags, s.Progress)
	digest := sha256.Sum256(filters)
	return cursorOrders[s.Sort] + hex.EncodeToString(digest[:4])
}

// ParseCursor returns the position in a cursor. It returns ErrAfterInvalid for what is no cursor, for one of a search
// with another order or other filters, and in a search for a later page than the first.
func (s Search) ParseCursor(cursor string) (Position, error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	place, ok := strings.CutPrefix(string(text), s.cursorPrefix())
	const idLength = 36
	if err != nil || !ok || cursorOrders[s.Sort] == "" || s.Page.Offset > 0 ||
		len(place) < idLength || !utf8.ValidString(place) {
		return Position{}, ErrAfterInvalid
	}
	p := Position{ID: place[:idLength], Value: place[idLength:]}
	if !event.IsID(p.ID) || strings.ContainsRune(p.Value, 0) {
		return Position{}, ErrAfterInvalid
	}
	if _, err := p.SortValue(s.Sort.By); err != nil {
		return Position{}, err
	}
	return p, nil
}

// SortValue returns the value as a text, a time or a number, or ErrAfterInvalid.
func (p Position) SortValue(by SortBy) (any, error) {
	if by == ByName {
		return p.Value, nil
	}
	number, err := strconv.ParseInt(p.Value, 10, 64)
	if err != nil || number < 0 || number > maxCursorMicro {
		return nil, ErrAfterInvalid
	}
	if by == ByCreated {
		return time.UnixMicro(number).UTC(), nil
	}
	return number, nil
}

// maxCursorMicro is the end of the year 9999, which the database can store.
var maxCursorMicro = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
