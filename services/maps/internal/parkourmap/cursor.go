package parkourmap

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/event"
)

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

// ParseCursor returns the position in a cursor. It returns ErrAfterInvalid for what is no cursor, and for one of a
// search with another order or other filters.
func (s Search) ParseCursor(cursor string) (Position, error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	place, ok := strings.CutPrefix(string(text), s.cursorPrefix())
	const idLength = 36
	if err != nil || !ok || cursorOrders[s.Sort] == "" || len(place) < idLength || !utf8.ValidString(place) {
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
