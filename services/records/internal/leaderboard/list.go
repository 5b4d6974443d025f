package leaderboard

import (
	"cmp"
	"context"
	"strconv"
)

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

// CheckLeaderboardSort returns ErrSortUnknown for anything but the one order of leaderboards.
func CheckLeaderboardSort(by, dir string) error {
	if by != "" && SortBy(by) != ByTime {
		return ErrSortUnknown.WithField("sortBy", "unknown", "must be finishTime,finishTimeStamp for a map")
	}
	if dir != "" && dir != "asc,asc" {
		return ErrSortUnknown.WithField("sortDir", "unknown", "must be asc,asc for a map")
	}
	return nil
}
