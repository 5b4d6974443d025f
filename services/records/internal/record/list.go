package record

import (
	"context"
	"strconv"
)

// List asks for a page of all records.
type List struct {
	// PlayerID asks for the records of one player. Empty for all.
	PlayerID string
	Sort     Sort
	Page
}

// maxOffset is the deepest offset of the list of all players' records. The database
// passes over the rows before a page one by one.
const maxOffset = 10_000

// List returns a page of the active records, which is empty past the end. It returns
// ErrPageTooDeep for a page of all players' records beyond maxOffset.
func (r *Reader) List(ctx context.Context, q List) (EntryList, error) {
	if isInvalidID(q.PlayerID) {
		return EntryList{}, nil
	}
	if q.PlayerID == "" && q.Offset > maxOffset {
		return r.beyondMaxOffset(ctx, q)
	}
	list, err := r.Queries.List(ctx, q)
	if err != nil {
		return EntryList{}, err
	}
	r.fillNames(ctx, list.Entries)
	return list, nil
}

// beyondMaxOffset returns ErrPageTooDeep for a page that exists, and nothing past the end.
func (r *Reader) beyondMaxOffset(ctx context.Context, q List) (EntryList, error) {
	first, err := r.Queries.List(ctx, List{Sort: q.Sort, Page: Page{Limit: 1}})
	if err != nil {
		return EntryList{}, err
	}
	if int64(q.Offset) < first.Total {
		return EntryList{}, ErrPageTooDeep.WithField("offset", "must be from 0 to "+strconv.Itoa(maxOffset))
	}
	return EntryList{Total: first.Total}, nil
}
