package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/maps/internal/parkourmap"
)

// Search implements parkourmap.Catalogue. What is asked with one filter is
// counted already; a combination of filters is counted in the index.
func (s *Store) Search(ctx context.Context, search parkourmap.Search) (parkourmap.Page, error) {
	asked := ask(search)
	total, err := s.total(ctx, asked)
	if err != nil || total <= int64(search.Offset) {
		return parkourmap.Page{Total: total}, err
	}
	// In the simple protocol the plan is made for the values at hand: what few maps have is looked up and sorted, what
	// many have is met soon enough along the sort's own index. One plan for all would be wrong for either.
	rows, err := s.pool.Query(ctx, pageSQL(search, asked), pgx.QueryExecModeSimpleProtocol, asked.args())
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

// total returns how many maps answer the question. A facet that no map has makes
// it 0 without a search.
func (s *Store) total(ctx context.Context, asked question) (int64, error) {
	const rarestSQL = `
		select coalesce(min(coalesce(t.maps, 0)), 0)
		from unnest(@facets::text[]) collate "C" as wanted (facet)
		left join search_totals t using (facet)`
	facets := asked.facets
	if asked.open() {
		facets = []string{everyMap}
	}
	var total int64
	if err := s.pool.QueryRow(ctx, rarestSQL, pgx.NamedArgs{"facets": facets}).Scan(&total); err != nil {
		return 0, fmt.Errorf("search totals: %w", err)
	}
	if asked.open() || asked.simple() || total == 0 {
		return total, nil
	}
	if err := s.pool.QueryRow(ctx, countSQL(asked), asked.args()).Scan(&total); err != nil {
		return 0, fmt.Errorf("count maps: %w", err)
	}
	return total, nil
}

func (q question) args() pgx.NamedArgs {
	return pgx.NamedArgs{"facets": q.facets, "namePart": q.namePart, "byPart": q.byPart}
}

// where is the condition of a question that is not open, on the table m.
func (q question) where() string {
	where := "m.facets @> @facets::text[]"
	if q.namePart != "" {
		where += " and strpos(m.search_key, @namePart) > 0"
	}
	if q.byPart != "" {
		where += " and strpos(m.author_key, @byPart) > 0"
	}
	return where
}

func countSQL(asked question) string { return "select count(*) from maps m where " + asked.where() }

// pageSQL selects the rows of a page. Which maps they are is decided on narrow
// rows first, so that a page far behind costs no more than passing over an index.
func pageSQL(search parkourmap.Search, asked question) string {
	direction := "asc"
	if search.Descending {
		direction = "desc"
	}
	var ids string
	var order string
	switch search.SortBy {
	case parkourmap.ByRecords:
		order = fmt.Sprintf("order by s.records %s, s.map_id %s", direction, direction)
		ids = "select s.map_id as id from map_stats s where s.listed"
		if !asked.open() {
			ids = "select s.map_id as id from map_stats s join maps m on m.id = s.map_id where s.listed and " + asked.where()
		}
	case parkourmap.ByName:
		order = fmt.Sprintf("order by m.search_key %s, m.id %s", direction, direction)
	default:
		order = fmt.Sprintf("order by m.created_at %s, m.id %s", direction, direction)
	}
	if ids == "" {
		ids = "select m.id from maps m where m.removed_at is null"
		if !asked.open() {
			ids += " and " + asked.where()
		}
	}
	return fmt.Sprintf("select %s from (%s %s limit %d offset %d) as page join maps m on m.id = page.id %s %s",
		entryColumns, ids, order, search.Limit, search.Offset, entryTables, order)
}
