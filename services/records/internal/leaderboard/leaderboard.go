// Package leaderboard reads what the records service shows: leaderboards, lists and single records, comparisons,
// progress, histories, statistics, goals and rankings. Package record has what is written.
package leaderboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/record"
)

// Queries reads lists of records. In the records it returns, a map or a player without a copy has only its id.
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
	// Stats returns the totals of the whole site.
	Stats(ctx context.Context) (Stats, error)
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

// List asks for a page of all records.
type List struct {
	// PlayerID asks for the records of one player. Empty for all.
	PlayerID string
	Sort     Sort
	// After asks for the records after a position instead of an offset, unless it is nil.
	After *Position
	Page
}

// maxOffset is the deepest offset of the list of all players' records. The database
// skips the rows before a page one by one.
const maxOffset = 10_000

// List returns a page of the active records, which is empty past the end. It returns
// ErrPageTooDeep for a page of all players' records beyond maxOffset.
func (r *Reader) List(ctx context.Context, q List) (RankedList, error) {
	if isInvalidID(q.PlayerID) {
		return RankedList{}, nil
	}
	if q.PlayerID == "" && q.Offset > maxOffset {
		return r.beyondMaxOffset(ctx, q)
	}
	return r.Queries.List(ctx, q)
}

// beyondMaxOffset returns ErrPageTooDeep for a page that exists, and nothing past the end.
func (r *Reader) beyondMaxOffset(ctx context.Context, q List) (RankedList, error) {
	first, err := r.Queries.List(ctx, List{Sort: q.Sort, Page: Page{Limit: 1}})
	if err != nil {
		return RankedList{}, err
	}
	if int64(q.Offset) < first.Total {
		return RankedList{}, ErrPageTooDeep.
			WithField("offset", "out_of_range", "must be from 0 to "+strconv.Itoa(maxOffset)).WithData("use", "after")
	}
	return RankedList{Total: first.Total}, nil
}

// Sort is an order of records.
type Sort struct {
	By         SortBy
	Descending bool
}

// SortBy is what records are sorted by. Records that are equal in it are ordered by id.
type SortBy string

// What records can be sorted by. The time of the last update is that of the creation,
// because an accepted record never changes.
const (
	ByUpdated SortBy = "updatedAt"
	ByTime    SortBy = "finishTime,finishTimeStamp"
)

// Newest is the default order.
var Newest = Sort{By: ByUpdated, Descending: true}

// sortDirections are how the API writes the directions of an order, the ascending one first.
var sortDirections = map[SortBy][2]string{ByUpdated: {"asc", "desc"}, ByTime: {"asc,asc", "desc,desc"}}

// ParseSort parses the order of all records as the API writes it, comma-joined for two
// fields. Empty is the default. It returns ErrSortUnknown.
func ParseSort(by, dir string) (Sort, error) {
	sort := Sort{By: SortBy(cmp.Or(by, string(ByUpdated)))}
	directions, ok := sortDirections[sort.By]
	switch {
	case !ok:
		return Sort{}, ErrSortUnknown.WithField("sortBy", "unknown", "must be updatedAt or finishTime,finishTimeStamp")
	case dir == "":
		sort.Descending = sort.By == ByUpdated
	case dir == directions[1]:
		sort.Descending = true
	case dir != directions[0]:
		return Sort{}, ErrSortUnknown.WithField("sortDir", "unknown", "must be "+directions[0]+" or "+directions[1])
	}
	return sort, nil
}

// CheckLeaderboardSort returns ErrSortUnknown for anything but the one order of
// leaderboards.
func CheckLeaderboardSort(by, dir string) error {
	if by != "" && SortBy(by) != ByTime {
		return ErrSortUnknown.WithField("sortBy", "unknown", "must be finishTime,finishTimeStamp for a map")
	}
	if dir != "" && dir != "asc,asc" {
		return ErrSortUnknown.WithField("sortDir", "unknown", "must be asc,asc for a map")
	}
	return nil
}

// Stats are the totals of the whole site.
type Stats struct {
	// Maps counts the maps that are not removed, Players the registered ones, and
	// Records the active ones.
	Maps, Players, Records int64
}

// Stats returns the totals of the whole site.
func (r *Reader) Stats(ctx context.Context) (Stats, error) { return r.Queries.Stats(ctx) }

// Details is an active record with what it is compared with, and with the version and the picture of its map.
type Details struct {
	record.RankedRecord
	// RankAtSubmission is the rank that the record had when it was accepted, counted from 1. It is 0 for a record
	// that was no personal best then.
	RankAtSubmission int64
	// PreviousBest and PreviousWorldRecord are the best finish times, in milliseconds, of the player on the map and
	// of the map, among the active records that were accepted before this one. They are 0 where there are none.
	PreviousBest, PreviousWorldRecord int
	// WorldRecord is the map's world record now.
	WorldRecord WorldRecord
	// Above is the row directly above on the leaderboard. Its ID is empty for the first row, and for a record that is no
	// personal best.
	Above OtherRecord
}

// OtherRecord is a record that another one is compared with.
type OtherRecord struct {
	ID         string
	FinishTime int // milliseconds
	Player     record.Player
}

// Details returns an active record with what it is compared with. It returns ErrRecordUnknown.
func (r *Reader) Details(ctx context.Context, id string) (Details, error) {
	if !event.IsID(id) {
		return Details{}, record.ErrRecordUnknown
	}
	return r.Queries.Details(ctx, id)
}

// Preview returns what the picture for a link to the record shows.
func (d Details) Preview() sharecard.Record {
	card := sharecard.Record{
		Kind: "Record", World: d.ID == d.WorldRecord.ID, Player: ball(d.Player), Map: d.Map.Name,
		Time: racetime.Format(d.FinishTime), Medal: string(d.Medal()),
		Picture: sharecard.StoredPicture(d.Map.Picture),
	}
	before := 0
	switch {
	case card.World:
		card.Kind, before = "World record", d.PreviousWorldRecord
	case d.PersonalBest:
		card.Kind, before = "Personal best", d.PreviousBest
	}
	if before > d.FinishTime {
		card.Before = racetime.Format(before)
	}
	var earned []string
	if d.Rank > 0 {
		earned = append(earned, fmt.Sprintf("Rank %d", d.Rank))
	}
	if medal := d.Medal(); medal != racetime.NoMedal {
		earned = append(earned, medal.Title())
	}
	card.Earned = strings.Join(earned, " · ")
	return card
}
