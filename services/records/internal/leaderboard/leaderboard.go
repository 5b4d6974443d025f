// Package leaderboard reads what the records service shows: leaderboards, lists and single records, comparisons,
// progress, histories, statistics, goals and rankings. Package record has what is written.
package leaderboard

import (
	"context"
	"errors"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// Queries reads lists of records. In the records it returns, a map or a player without a copy has only its id.
type Queries interface {
	// Leaderboard returns a page of a leaderboard with its ranks. It returns ErrMapUnknown if there is no copy of
	// the map, and ErrMapRemoved.
	Leaderboard(ctx context.Context, q Leaderboard) (RankedList, error)
	FollowedQueries
	ListQueries
	DetailsQueries
	SiteQueries
}

// Reader reads leaderboards, lists of records and single records.
type Reader struct {
	Queries Queries
	Maps    *record.Maps
	Players record.Players
	Follows Follows
}

// RankedList is a page of a list.
type RankedList struct {
	Records []record.RankedRecord
	// Total counts the whole list.
	Total int64
	// HasNext is true when there are records after these.
	HasNext bool
}

// Page is the part of a list that is asked for.
type Page struct{ Offset, Limit int }

// DefaultPageSize is the limit of a page where none is given.
const DefaultPageSize = 10

// Leaderboard asks for a page of a map's leaderboard.
type Leaderboard struct {
	MapID string
	// PlayerID asks for the row of one player, wherever it is, and for Neighbours rows on each side of it, instead of
	// a Page. Empty for all.
	PlayerID   string
	Neighbours int
	// After asks for the rows after a position instead of an offset, unless it is nil.
	After *Position
	Page
}

// Neighbours is how many rows are shown above and below a player's own.
const Neighbours = 5

// Leaderboard returns a page of a map's leaderboard, which is empty past the end. It
// returns ErrMapUnknown or ErrMapRemoved, or a problem of kind unavailable if the map is
// not known here and its owner does not answer.
func (r *Reader) Leaderboard(ctx context.Context, q Leaderboard) (RankedList, error) {
	if !event.IsID(q.MapID) {
		return RankedList{}, record.ErrMapUnknown
	}
	if isInvalidID(q.PlayerID) {
		_, err := r.Maps.Get(ctx, q.MapID)
		return RankedList{}, err
	}
	q.PlayerID = strings.ToLower(q.PlayerID) // as rows have it
	if q.Neighbours > 0 {
		// The id in a token may be that of a player who was merged since.
		if player, err := r.Players.Get(ctx, q.PlayerID); err == nil {
			q.PlayerID = player.ID
		}
	}
	list, err := r.Queries.Leaderboard(ctx, q)
	if errors.Is(err, record.ErrMapUnknown) {
		if _, err := r.Maps.Get(ctx, q.MapID); err != nil {
			return RankedList{}, err
		}
		list, err = r.Queries.Leaderboard(ctx, q)
	}
	return list, err
}

// isInvalidID reports whether a filter is set to what is not an id, and so matches nothing.
func isInvalidID(id string) bool { return id != "" && !event.IsID(id) }
