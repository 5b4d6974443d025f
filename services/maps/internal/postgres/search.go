package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/maps/internal/parkourmap"
)

// Search implements parkourmap.Catalogue. The totals say which way to the page is
// short. What they were the last time says so as well, and saves a round trip.
func (s *Store) Search(ctx context.Context, search parkourmap.Search) (parkourmap.Page, error) {
	asked := newFacetQuery(search)
	if before, ok := s.before(asked); ok && before.found > int64(search.Offset) {
		if to := wayTo(search, asked, before); !to.planned {
			return s.totalsAndPage(ctx, search, asked, to)
		}
	}
	now, err := s.totals(ctx, asked)
	if err != nil || now.found <= int64(search.Offset) {
		return parkourmap.Page{Total: now.found}, err
	}
	to := wayTo(search, asked, now)
	args := to.args
	if to.planned {
		args = append([]any{pgx.QueryExecModeSimpleProtocol}, args...)
	}
	rows, err := s.pool.Query(ctx, to.sql, args...)
	if err != nil {
		return parkourmap.Page{}, fmt.Errorf("search maps: %w", err)
	}
	entries, err := collectEntries(rows, search.Limit)
	if err != nil {
		return parkourmap.Page{}, fmt.Errorf("search maps: %w", err)
	}
	return parkourmap.Page{Entries: entries, Total: now.found}, nil
}

// totalsAndPage reads totals that are kept, and a page, in one round trip.
func (s *Store) totalsAndPage(ctx context.Context, search parkourmap.Search, asked facetQuery, to way) (page parkourmap.Page, err error) {
	var now totals
	batch := &pgx.Batch{}
	batch.Queue(totalsSQL, asked.counted()).QueryRow(func(row pgx.Row) error { return row.Scan(&now.found, nil, &now.all) })
	batch.Queue(to.sql, to.args...).Query(func(rows pgx.Rows) (err error) {
		page.Entries, err = collectEntries(rows, search.Limit)
		return err
	})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return parkourmap.Page{}, fmt.Errorf("search maps: %w", err)
	}
	s.note(asked, now)
	page.Total = now.found
	return page, nil
}

// way is a statement that finds a page, with its values.
type way struct {
	sql  string
	args values
	// planned says that the statement has to be planned anew for its values.
	planned bool
}

// wayTo is the short way to a page of a search that so many maps answer.
func wayTo(search parkourmap.Search, asked facetQuery, t totals) way {
	switch {
	case asked.open():
		return everything(search)
	case walkIsShorter(search, t):
		return walk(search)
	}
	return gather(search, asked)
}

// walkIsShorter tells whether passing over what does not match, along the sort's
// index, meets a page's end sooner than all matches are gathered: one in
// all/found is a match.
func walkIsShorter(search parkourmap.Search, t totals) bool {
	return t.found*t.found > int64(search.Offset+search.Limit)*t.all
}

// everything is the page of a search without filters.
func everything(search parkourmap.Search) way {
	if search.SortBy == parkourmap.ByRecords {
		return way{sql: entriesOf(search, "select s.map_id as id, s.records from map_stats s where s.listed"+slice(search, "s.records", "s.map_id"))}
	}
	column := sortColumn(search)
	return way{sql: entriesOf(search, "select m.id, m."+column+" from maps m where m.removed_at is null"+slice(search, "m."+column, "m.id"))}
}

// walk is the page of a search that many maps answer, in the order of the sort's
// index. A part of a name is taken for common by the one plan for all values, which
// walks. Of a mode, a tag or an author it would think that few maps have them, and
// sort the whole table: such a statement is planned for the values at hand.
func walk(search parkourmap.Search) way {
	w := way{planned: search.Mode != "" || len(search.Tags) > 0 || search.AuthorID != ""}
	matches := byColumns(search, &w.args)
	if search.SortBy == parkourmap.ByRecords {
		w.sql = entriesOf(search, "select s.map_id as id, s.records from map_stats s join maps m on m.id = s.map_id where s.listed and "+
			matches+slice(search, "s.records", "s.map_id"))
		return w
	}
	column := sortColumn(search)
	w.sql = entriesOf(search, "select m.id, m."+column+" from maps m where m.removed_at is null and "+
		matches+slice(search, "m."+column, "m.id"))
	return w
}

// gather is the page of a search that few maps answer: found by their facets, then sorted.
func gather(search parkourmap.Search, asked facetQuery) way {
	column := sortColumn(search)
	value := "m." + column
	if search.SortBy == parkourmap.ByRecords {
		value = "(select s.records from map_stats s where s.map_id = m.id) as records"
	}
	var w way
	w.sql = "with found as materialized (select m.id, " + value + " from maps m where " + asked.byFacets(&w.args) + ")" +
		entriesOf(search, "select * from found"+slice(search, column, "id"))
	return w
}

// sortColumn has an index.
func sortColumn(search parkourmap.Search) string {
	switch search.SortBy {
	case parkourmap.ByName:
		return "search_key"
	case parkourmap.ByRecords:
		return "records"
	default:
		return "created_at"
	}
}

func order(search parkourmap.Search, column, id string) string {
	direction := "asc"
	if search.Descending {
		direction = "desc"
	}
	return fmt.Sprintf(" order by %s %s, %s %s", column, direction, id, direction)
}

// slice is written into the statement, because plans are made once for all values
// (see platform/postgres.Open), and a page of an unknown size would be planned for
// as a tenth of the table. Few pages are asked for often.
func slice(search parkourmap.Search, column, id string) string {
	return order(search, column, id) + fmt.Sprintf(" limit %d offset %d", search.Limit, search.Offset)
}

// entriesOf reads the maps that are selected by page with what they are sorted by, in its order.
func entriesOf(search parkourmap.Search, page string) string {
	return " select " + entryColumns + " from (" + page + ") as page join maps m on m.id = page.id" + entryTables +
		order(search, "page."+sortColumn(search), "page.id")
}
