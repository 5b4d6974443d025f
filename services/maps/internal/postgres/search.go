package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/maps/internal/parkourmap"
)

// Search implements parkourmap.Catalogue. The total is known first, and says which
// way to the page is short.
func (s *Store) Search(ctx context.Context, search parkourmap.Search) (parkourmap.Page, error) {
	asked := ask(search)
	total, all, err := s.totals(ctx, asked)
	if err != nil || total <= int64(search.Offset) {
		return parkourmap.Page{Total: total}, err
	}
	sql, args := gather(search, asked), []any{asked.args(search)}
	switch {
	case asked.open():
		sql = everything(search)
	case walkIsShorter(search, total, all):
		sql, args = walk(search, asked), walkArgs(search, asked)
	}
	rows, err := s.pool.Query(ctx, sql, args...)
	if err != nil {
		return parkourmap.Page{}, fmt.Errorf("search maps: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[entryRow])
	if err != nil {
		return parkourmap.Page{}, fmt.Errorf("search maps: %w", err)
	}
	page := parkourmap.Page{Entries: make([]parkourmap.Entry, len(found)), Total: total}
	for i, row := range found {
		page.Entries[i] = row.toEntry()
	}
	return page, nil
}

// walkIsShorter tells whether passing over what does not match, along the sort's
// index, meets a page's end sooner than all matches are gathered: one in
// all/total is a match.
func walkIsShorter(search parkourmap.Search, total, all int64) bool {
	return total*total > int64(search.Offset+search.Limit)*all
}

const totalsSQL = `
	select coalesce(min(coalesce(t.maps, 0)), 0), coalesce(sum(t.maps), 0)::bigint, coalesce((select maps from search_totals where facet = ''), 0)
	from unnest(@facets::text[]) as wanted (facet)
	left join search_totals t on t.facet = wanted.facet collate "C"`

// rememberFrom is how many maps the rarest facet of a combination has at least whose
// count is remembered for a moment.
const rememberFrom = 1000

// totals returns how many maps answer the question, and how many there are. What
// is asked with one filter is counted already, and a facet that no map has needs
// no search. Only a combination is counted, in the index, which takes the longer the
// more maps there are: a long count is told again for a moment, as long as its
// facets' totals are what they were.
func (s *Store) totals(ctx context.Context, asked question) (total, all int64, err error) {
	facets := asked.facets
	if asked.open() {
		facets = []string{everyMap}
	}
	var least, sum int64
	if err := s.pool.QueryRow(ctx, totalsSQL, pgx.NamedArgs{"facets": facets}).Scan(&least, &sum, &all); err != nil {
		return 0, 0, fmt.Errorf("search totals: %w", err)
	}
	if asked.open() || asked.simple() || least == 0 {
		return least, all, nil
	}
	key := asked.key(sum)
	if total, fresh := s.seen.Fresh(key, time.Now()); fresh {
		return total, all, nil
	}
	if err := s.pool.QueryRow(ctx, countSQL(asked), asked.args(parkourmap.Search{})).Scan(&total); err != nil {
		return 0, 0, fmt.Errorf("count maps: %w", err)
	}
	if least >= rememberFrom {
		s.seen.Put(key, total, time.Now())
	}
	return total, all, nil
}

func countSQL(asked question) string { return "select count(*) from maps m where " + asked.byFacets() }

// everything is the page of a search without filters.
func everything(search parkourmap.Search) string {
	if search.SortBy == parkourmap.ByRecords {
		return entriesOf(search, "select s.map_id as id, s.records from map_stats s where s.listed"+slice(search, "s.records", "s.map_id"))
	}
	column := sortColumn(search)
	return entriesOf(search, "select m.id, m."+column+" from maps m where m.removed_at is null"+slice(search, "m."+column, "m.id"))
}

// walk is the page of a search that many maps answer, in the order of the sort's index.
func walk(search parkourmap.Search, asked question) string {
	if search.SortBy == parkourmap.ByRecords {
		return entriesOf(search, "select s.map_id as id, s.records from map_stats s join maps m on m.id = s.map_id where s.listed and "+
			asked.byColumns(search)+slice(search, "s.records", "s.map_id"))
	}
	column := sortColumn(search)
	return entriesOf(search, "select m.id, m."+column+" from maps m where m.removed_at is null and "+
		asked.byColumns(search)+slice(search, "m."+column, "m.id"))
}

// walkArgs are the arguments of walk. A part of a name is taken for common by the
// one plan for all values, which walks. Of a mode, a tag or an author it would
// think that few maps have them, and sort the whole table: in the simple protocol
// the plan is made anew for the values at hand.
func walkArgs(search parkourmap.Search, asked question) []any {
	args := []any{asked.args(search)}
	if search.Mode != "" || len(search.Tags) > 0 || search.AuthorID != "" {
		args = append([]any{pgx.QueryExecModeSimpleProtocol}, args...)
	}
	return args
}

// gather is the page of a search that few maps answer: found by their facets, then sorted.
func gather(search parkourmap.Search, asked question) string {
	column := sortColumn(search)
	value := "m." + column
	if search.SortBy == parkourmap.ByRecords {
		value = "(select s.records from map_stats s where s.map_id = m.id) as records"
	}
	return "with found as materialized (select m.id, " + value + " from maps m where " + asked.byFacets() + ")" +
		entriesOf(search, "select * from found"+slice(search, column, "id"))
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
