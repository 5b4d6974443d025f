package parkourmap

import (
	"encoding/base64"
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

// Cursor returns the position as clients get it. They are told nothing of its form.
func (p Position) Cursor(sort Sort) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorOrders[sort] + p.ID + p.Value))
}

// ParseCursor returns the position in a cursor of a search in an order. It returns ErrAfterInvalid for what is no
// cursor, and for one of another order.
func ParseCursor(cursor string, sort Sort) (Position, error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	const idEnd = 1 + 36
	if err != nil || len(text) < idEnd || string(text[:1]) != cursorOrders[sort] || !utf8.Valid(text) {
		return Position{}, ErrAfterInvalid
	}
	p := Position{ID: string(text[1:idEnd]), Value: string(text[idEnd:])}
	if !event.IsID(p.ID) || strings.ContainsRune(p.Value, 0) {
		return Position{}, ErrAfterInvalid
	}
	if _, err := p.SortValue(sort.By); err != nil {
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
