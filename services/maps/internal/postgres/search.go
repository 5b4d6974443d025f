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
	rows, err := s.pool.Query(ctx, pageSQL(search, asked, total), pgx.QueryExecModeSimpleProtocol, asked.args())
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

const rarestSQL = `
	select coalesce(min(coalesce(t.maps, 0)), 0)
	from unnest(@facets::text[]) as wanted (facet)
	left join search_totals t on t.facet = wanted.facet collate "C"`

// total returns how many maps answer the question. A facet that no map has makes
// it 0 without a search.
func (s *Store) total(ctx context.Context, asked question) (int64, error) {
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

// fewMaps is how many records are fetched by one at most, where maps are sorted by them.
const fewMaps = 1000

// pageSQL selects the rows of a page, of total maps found. Which maps they are is
// decided on narrow rows first, so that a page far behind costs no more than
// passing over an index.
func pageSQL(search parkourmap.Search, asked question, total int64) string {
	where := "m.removed_at is null"
	if !asked.open() {
		where += " and " + asked.where()
	}
	var column, ids string
	switch {
	case search.SortBy == parkourmap.ByName:
		column, ids = "search_key", "select m.id, m.search_key from maps m where "+where
	case search.SortBy == parkourmap.ByCreated:
		column, ids = "created_at", "select m.id, m.created_at from maps m where "+where
	case asked.open():
		column, ids = "records", "select s.map_id as id, s.records from map_stats s where s.listed"
	case total <= fewMaps:
		column, ids = "records", "select m.id, (select s.records from map_stats s where s.map_id = m.id) as records from maps m where "+where
	default:
		column, ids = "records", "select s.map_id as id, s.records from map_stats s join maps m on m.id = s.map_id where s.listed and "+where
	}
	direction := "asc"
	if search.Descending {
		direction = "desc"
	}
	order := fmt.Sprintf("order by page.%s %s, page.id %s", column, direction, direction)
	return fmt.Sprintf(`
		select %s
		from (select * from (%s) as page %s limit %d offset %d) as page join maps m on m.id = page.id %s %s`,
		entryColumns, ids, order, search.Limit, search.Offset, entryTables, order)
}
