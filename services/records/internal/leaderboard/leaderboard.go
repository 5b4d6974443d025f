// Package leaderboard reads what the records service shows: leaderboards, lists and single records, comparisons,
// progress, histories, statistics, goals and rankings. Package record has what is written.
package leaderboard

import (
	"context"
	"errors"
	"strings"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

// Queries reads what Reader shows. In the records it returns, a map or a player without a copy has only its id.
type Queries interface {
	// Leaderboard returns a page of a leaderboard with its ranks. It returns ErrMapUnknown if there is no copy of
	// the map, and ErrMapRemoved.
	Leaderboard(ctx context.Context, q Leaderboard) (RankedList, error)
	// FollowedLeaderboard returns a page of the rows of players on a leaderboard. Ranks are those of the whole
	// leaderboard, gaps those between the rows of the players. Its errors are those of Leaderboard.
	FollowedLeaderboard(ctx context.Context, mapID string, playerIDs []string, page Page) (RankedList, error)
	// List returns a page of the active records.
	List(ctx context.Context, q List) (RankedList, error)
	// Details returns an active record with what it is compared with, or ErrRecordUnknown.
	Details(ctx context.Context, id string) (Details, error)
	// WorldRecords returns the world records of a map in the order of their acceptance, of more than
	// MaxWorldRecords the newest.
	WorldRecords(ctx context.Context, mapID string) ([]WorldRecord, error)
	// NewestWorldRecords returns at most limit world records of all maps, newest first.
	NewestWorldRecords(ctx context.Context, limit int) ([]ListedWorldRecord, error)
	// CommonMaps returns the maps on which two players have personal bests, with the id, the name and the mode of each.
	CommonMaps(ctx context.Context, firstID, secondID string) ([]CommonMap, error)
	// ImprovedMaps returns a page of the maps on which a player has improved, newest personal best first.
	ImprovedMaps(ctx context.Context, playerID string, page Page) (ImprovedMaps, error)
	// Improvements returns the improvements of a player on a map in the order of acceptance, of more than
	// MaxImprovements the newest.
	Improvements(ctx context.Context, playerID, mapID string) ([]Improvement, error)
	// Progress returns where a player stands on maps, in the order of the ids, without removed and unknown maps.
	Progress(ctx context.Context, playerID string, mapIDs []string) ([]Progress, error)
	// PlayerRecords returns what the statistics of a player at a time are made from, with the records by month that
	// were accepted since another time.
	PlayerRecords(ctx context.Context, playerID string, since, now time.Time) (PlayerRecords, error)
	// Stats returns the totals of the whole site.
	Stats(ctx context.Context) (Stats, error)
}

// Reader reads what everybody may see of records, maps and players, and what players see of their own.
//
// A method about a map or a player returns ErrMapUnknown, ErrMapRemoved or ErrPlayerUnknown, or a problem of kind
// unavailable if there is no copy and the owner does not answer. A player who was merged into another stands for that
// one.
type Reader struct {
	Queries Queries
	Maps    *record.Maps
	Players record.Players
	Follows Follows
	Now     func() time.Time
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

// Leaderboard returns a page of a map's leaderboard, which is empty past the end.
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
		if player, err := r.Players.Get(ctx, q.PlayerID); err == nil {
			q.PlayerID = player.ID
		}
	}
	return r.withMap(ctx, q.MapID, func() (RankedList, error) { return r.Queries.Leaderboard(ctx, q) })
}

// withMap returns what read returns, which is called again once there is a copy of the map.
func (r *Reader) withMap(ctx context.Context, mapID string, read func() (RankedList, error)) (RankedList, error) {
	list, err := read()
	if !errors.Is(err, record.ErrMapUnknown) {
		return list, err
	}
	if _, err := r.Maps.Get(ctx, mapID); err != nil {
		return RankedList{}, err
	}
	return read()
}

// Follows finds whom players follow at the service that owns follows.
type Follows interface {
	// ListFollowed returns the players whom a player follows, at most event.MaxRequestedPlayers. It returns a problem of
	// kind unavailable where the owner cannot be asked.
	ListFollowed(ctx context.Context, playerID string) ([]string, error)
}

// FollowedLeaderboard returns a page of the rows that the caller and the players whom the caller follows have on a
// map's leaderboard. It also returns access.ErrScopeMissing or ErrFollowingUnavailable.
func (r *Reader) FollowedLeaderboard(
	ctx context.Context, by access.Actor, mapID string, page Page,
) (RankedList, error) {
	if err := by.RequireScope(access.ScopeFollows); err != nil {
		return RankedList{}, err
	}
	if !event.IsID(mapID) {
		return RankedList{}, record.ErrMapUnknown
	}
	caller, err := r.Players.Get(ctx, by.ID)
	if err != nil {
		return RankedList{}, err
	}
	players, err := r.Follows.ListFollowed(ctx, caller.ID)
	switch {
	case err != nil && problem.From(err).Kind == problem.KindUnavailable:
		return RankedList{}, ErrFollowingUnavailable.Wrap(err)
	case err != nil:
		return RankedList{}, err
	}
	players = append(players, caller.ID)
	return r.withMap(ctx, mapID, func() (RankedList, error) {
		return r.Queries.FollowedLeaderboard(ctx, mapID, players, page)
	})
}

// isInvalidID reports whether a filter is set to what is not an id, and so matches nothing.
func isInvalidID(id string) bool { return id != "" && !event.IsID(id) }
