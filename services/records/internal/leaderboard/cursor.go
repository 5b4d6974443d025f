package leaderboard

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// Position is the place of a record in a list. The records after it are the same wherever others are inserted or
// removed.
type Position struct {
	// FinishTime is in milliseconds, and At the record's time stamp. In lists by the time of the last update FinishTime
	// is 0 and At that time.
	FinishTime int
	At         time.Time
	ID         string
}

// PositionOf returns the position of a record in a list with an order.
func PositionOf(r record.Record, by SortBy) Position {
	if by == ByUpdated {
		return Position{At: r.CreatedAt, ID: r.ID}
	}
	return Position{FinishTime: r.FinishTime, At: r.FinishTimeStamp, ID: r.ID}
}

// IsBefore reports whether the record comes after the position on a leaderboard.
func (p Position) IsBefore(r record.Record) bool {
	return cmp.Or(
		cmp.Compare(p.FinishTime, r.FinishTime), p.At.Compare(r.FinishTimeStamp), strings.Compare(p.ID, r.ID),
	) < 0
}

// cursorOrders are the orders of lists in cursors. A leaderboard has that of ByTime.
var cursorOrders = map[Sort]string{
	{By: ByUpdated}:                   "u",
	{By: ByUpdated, Descending: true}: "U",
	{By: ByTime}:                      "t",
	{By: ByTime, Descending: true}:    "T",
}

// FastestFirst is the one order of leaderboards.
var FastestFirst = Sort{By: ByTime}

// Cursor returns the position in a list as clients get it. They do not know its form. of is the id of the map
// or of the player whose records are listed, and empty for all records.
func (p Position) Cursor(sort Sort, of string) string {
	text := strings.Join([]string{
		cursorOrders[sort], of, strconv.Itoa(p.FinishTime), strconv.FormatInt(p.At.UnixMicro(), 10), p.ID,
	}, " ")
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

// firstMicro and lastMicro are the times that cursors can have, in microseconds: those that the database can store.
var (
	firstMicro = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	lastMicro  = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMicro()
)

// ParseCursor returns the position in a cursor of a list, whose order and of are those of Cursor. It returns
// ErrCursorInvalid for what is no cursor, and for one of another list.
func ParseCursor(cursor string, sort Sort, of string) (Position, error) {
	text, _ := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.Split(string(text), " ")
	if len(parts) != 5 {
		return Position{}, ErrCursorInvalid
	}
	finishTime, _ := strconv.ParseInt(parts[2], 10, 32)
	micro, _ := strconv.ParseInt(parts[3], 10, 64)
	p := Position{FinishTime: int(finishTime), At: time.UnixMicro(micro).UTC(), ID: strings.ToLower(parts[4])}
	// What is malformed, spelled otherwise or of another list is not the cursor of the position that was read from it.
	if p.Cursor(sort, of) != cursor || finishTime < 0 || micro < firstMicro || micro > lastMicro || !event.IsID(p.ID) {
		return Position{}, ErrCursorInvalid
	}
	return p, nil
}
