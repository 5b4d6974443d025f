package postgres

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"capzone.dev/platform/event"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Search implements parkourmap.Queries.
func (s *Store) Search(ctx context.Context, wanted parkourmap.Search) (parkourmap.List, error) {
	q := searchQuery(wanted)
	q.Limit++ // to know whether there is a next page
	entries, total, err := search.Fetch(ctx, s.db, q, scanEntry)
	list := parkourmap.List{Entries: entries, Total: total}
	if limit := wanted.Page.Limit; len(entries) > limit {
		list.Entries = entries[:limit]
		if limit > 0 && !wanted.Sort.IsPrivate() {
			list.Next = positionOf(entries[limit-1], wanted.Sort.By)
		}
	}
	return list, err
}

// positionOf returns the position of a map in searches in an order.
func positionOf(e parkourmap.Entry, by parkourmap.SortBy) *parkourmap.Position {
	p := &parkourmap.Position{ID: e.ID}
	switch by {
	case parkourmap.ByName:
		p.Value = search.Key(e.Name)
	case parkourmap.ByRecords:
		p.Value = strconv.FormatInt(e.Records, 10)
	default:
		p.Value = strconv.FormatInt(e.CreatedAt.UnixMicro(), 10)
	}
	return p
}

// searchQuery translates a search. Each filter and each order has an index, but for those by progress.
func searchQuery(wanted parkourmap.Search) search.Query {
	q := search.Query{
		Table: "maps m", ID: "m.id", OrderBy: "m.created_at",
		Descending: wanted.Sort.Descending, Limit: wanted.Page.Limit, Offset: wanted.Page.Offset,
		Select: "select " + entryColumns + " from page join maps m on m.id = page.id" + entryJoins,
	}
	switch wanted.Sort.By {
	case parkourmap.ByCreated:
	case parkourmap.ByName:
		q.OrderBy = "m.search_key"
	case parkourmap.ByRecords:
		q.ID, q.OrderBy, q.Join = "s.map_id", "s.records", "join map_stats s on s.map_id = m.id and s.listed"
	case parkourmap.ByNextMedal, parkourmap.ByRank:
		// The records service has sorted them, in either direction.
		q.Table = "unnest(@played::uuid[]) with ordinality as played (id, position) join maps m on m.id = played.id"
		q.OrderBy, q.Descending = "played.position", false
	}
	if wanted.After != nil {
		// ParseCursor has checked the value.
		value, _ := wanted.After.SortValue(wanted.Sort.By)
		q.After = &search.Row{Value: value, ID: wanted.After.ID}
	}
	q.Where("m.listed", pgx.NamedArgs{"played": uuids(wanted.Played)})
	switch {
	case wanted.Progress == event.Unplayed:
		q.Where("m.id not in (select unnest(@played::uuid[]))", nil) // hashed in every plan, as "<> all" is not
	case wanted.Progress != "" && !wanted.Sort.IsPrivate():
		q.Where("m.id = any (@played::uuid[])", nil)
	}
	q.WhereName("(' ' || m.search_key) like @name", "search_letters(m.search_key) @> @name_letters", "name", wanted.Name)
	q.WhereName("m.author_id in (select p.id from players p where (' ' || p.search_key) like @author)",
		"m.author_id in (select p.id from players p where search_letters(p.search_key) @> @author_letters)",
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

func uuids(ids [][16]byte) pgtype.FlatArray[pgtype.UUID] {
	list := make(pgtype.FlatArray[pgtype.UUID], len(ids))
	for i, id := range ids {
		list[i] = pgtype.UUID{Bytes: id, Valid: true}
	}
	return list
}
