package leaderboard

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"capzone.dev/platform/access"
)

// Selection is which records are listed as the API writes it: all, those of a player, or those of a leaderboard.
type Selection struct {
	MapID, PlayerID string
	// Around asks for the rows around a player's own on the leaderboard, and Following for those of the caller and of the
	// players whom the caller follows.
	Around          string
	Following       bool
	SortBy, SortDir string
	// After is the cursor of the page before.
	After string
	// IsPaged is true where a part of Page was asked for.
	IsPaged bool
	Page
}

// Query is a selection that was parsed.
type Query struct {
	Selection

	sort Sort
	// after is the position after which the page begins, and nil for one that is asked for by its offset.
	after *Position
}

// Parse returns the query for a selection. It returns ErrFollowingInvalid, ErrAroundInvalid, ErrSortUnknown,
// ErrAfterInvalid or ErrCursorInvalid.
func (s Selection) Parse() (q Query, err error) {
	q.Selection = s
	isMapAlone := s.MapID != "" && s.PlayerID == ""
	switch {
	case s.Following && (!isMapAlone || s.Around != ""):
		return Query{}, ErrFollowingInvalid
	case s.Around != "" && (!isMapAlone || s.IsPaged || s.After != ""):
		return Query{}, ErrAroundInvalid
	case s.MapID != "":
		q.sort, err = FastestFirst, checkLeaderboardSort(s.SortBy, s.SortDir)
	default:
		q.sort, err = ParseSort(s.SortBy, s.SortDir)
	}
	if err != nil || s.After == "" {
		return q, err
	}
	isRow := s.MapID != "" && s.PlayerID != ""
	if s.Following || isRow || s.Offset != 0 {
		return Query{}, ErrAfterInvalid
	}
	after, err := ParseCursor(s.After, q.sort, s.listed())
	q.after = &after
	return q, err
}

// SelectedPage is a page of a selection.
type SelectedPage struct {
	RankedList
	Page

	// Next is the cursor of the page after this one, and empty for the last page.
	Next string
}

// Select returns a page of a selection. Its errors are those of Leaderboard, FollowedLeaderboard and List.
func (r *Reader) Select(ctx context.Context, by access.Actor, q Query) (selected SelectedPage, err error) {
	selected.Page = q.Page
	switch {
	case q.Following:
		selected.RankedList, err = r.FollowedLeaderboard(ctx, by, q.MapID, q.Page)
	case q.Around != "":
		around := Leaderboard{MapID: q.MapID, PlayerID: q.Around, Neighbours: Neighbours}
		selected.RankedList, err = r.Leaderboard(ctx, around)
		selected.Page = Page{Limit: 2*Neighbours + 1}
		if len(selected.Records) > 0 {
			selected.Offset = int(selected.Records[0].Rank) - 1
		}
	case q.MapID != "":
		selected.RankedList, err = r.Leaderboard(ctx,
			Leaderboard{MapID: q.MapID, PlayerID: q.PlayerID, After: q.after, Page: q.Page})
	default:
		selected.RankedList, err = r.List(ctx, List{PlayerID: q.PlayerID, Sort: q.sort, After: q.after, Page: q.Page})
	}
	if err == nil && selected.HasNext {
		last := selected.Records[len(selected.Records)-1].Record
		selected.Next = PositionOf(last, q.sort.By).Cursor(q.sort, q.listed())
	}
	return selected, err
}

// listed returns the id of the map or of the player whose records are listed, and an empty text for all records.
func (s Selection) listed() string { return strings.ToLower(cmp.Or(s.MapID, s.PlayerID)) }

// List asks for a page of all records.
type List struct {
	// PlayerID asks for the records of one player. Empty for all.
	PlayerID string
	Sort     Sort
	// After asks for the records after a position instead of an offset, unless it is nil.
	After *Position
	Page
}

// maxOffset is the deepest offset of the list of all players' records. The database skips the rows before a page one by
// one.
const maxOffset = 10_000

// List returns a page of the active records, which is empty past the end. It returns
// ErrPageTooDeep for a page of all players' records beyond maxOffset.
func (r *Reader) List(ctx context.Context, q List) (RankedList, error) {
	if isInvalidID(q.PlayerID) {
		return RankedList{}, nil
	}
	if q.PlayerID != "" || q.Offset <= maxOffset {
		return r.Queries.List(ctx, q)
	}
	first, err := r.Queries.List(ctx, List{Sort: q.Sort, Page: Page{Limit: 1}})
	if err == nil && int64(q.Offset) < first.Total {
		err = ErrPageTooDeep.
			WithField("offset", "out_of_range", "must be from 0 to "+strconv.Itoa(maxOffset)).WithData("use", "after")
	}
	return RankedList{Total: first.Total}, err
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

// checkLeaderboardSort returns ErrSortUnknown for anything but the one order of leaderboards.
func checkLeaderboardSort(by, dir string) error {
	if by != "" && SortBy(by) != ByTime {
		return ErrSortUnknown.WithField("sortBy", "unknown", "must be finishTime,finishTimeStamp for a map")
	}
	if dir != "" && dir != "asc,asc" {
		return ErrSortUnknown.WithField("sortDir", "unknown", "must be asc,asc for a map")
	}
	return nil
}
