package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Search implements parkourmap.Queries.
func (s *Store) Search(ctx context.Context, wanted parkourmap.Search) (parkourmap.Page, error) {
	entries, total, err := search.Fetch(ctx, s.pool, searchQuery(wanted), scanEntry)
	return parkourmap.Page{Entries: entries, Total: total}, err
}

// searchQuery translates a search. Each filter and each order has an index.
func searchQuery(wanted parkourmap.Search) search.Query {
	q := search.Query{
		Table: "maps m", ID: "m.id", OrderBy: "m.created_at",
		Descending: wanted.Descending, Limit: wanted.Limit, Offset: wanted.Offset,
		Select: "select " + entryColumns + " from page join maps m on m.id = page.id" + entryJoins,
	}
	switch wanted.SortBy {
	case parkourmap.ByCreated:
	case parkourmap.ByName:
		q.OrderBy = "m.search_key"
	case parkourmap.ByRecords:
		q.OrderBy, q.Join = "s.records", "join map_stats s on s.map_id = m.id and s.listed"
	}
	q.Where("m.removed_at is null", nil)
	q.WhereName("(' ' || m.search_key) like @name", "name", wanted.Name)
	q.WhereName("m.author_id in (select p.id from players p where (' ' || p.search_key) like @author)",
		"author", wanted.Author)
	if wanted.Mode != "" {
		q.Where("m.game_mode = @mode", pgx.NamedArgs{"mode": wanted.Mode.String()})
	}
	if len(wanted.Tags) > 0 {
		q.Where("m.tags @> @tags::text[]", pgx.NamedArgs{"tags": wanted.Tags})
	}
	switch {
	case wanted.AuthorID == "":
	case event.IsID(wanted.AuthorID):
		q.Where("m.author_id = @author_id", pgx.NamedArgs{"author_id": wanted.AuthorID})
	default:
		q.Where("false", nil)
	}
	return q
}
