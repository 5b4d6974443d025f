package postgres

import (
	"context"

	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

// Search implements player.Searcher.
func (s *Store) Search(ctx context.Context, q player.Query) ([]player.Profile, int64, error) {
	return search.Fetch(ctx, s.pool, searchQuery(q), scanProfile)
}

// sortColumns have an index each, of registered players.
var sortColumns = map[player.Sort]string{
	player.ByName:    "p.search_key",
	player.ByLevel:   "p.level",
	player.ByCreated: "p.created_at",
	player.ByUpdated: "p.updated_at",
}

func searchQuery(wanted player.Query) search.Query {
	q := search.Query{
		Table: "players p", ID: "p.id", OrderBy: sortColumns[wanted.Sort],
		Descending: wanted.Descending, Limit: wanted.Limit, Offset: wanted.Offset,
		Select: `select ` + profileColumns + `
			from page join players p on p.id = page.id left join player_totals on player_id = p.id`,
	}
	q.Where("p.registered", nil)
	q.WhereName("(' ' || p.search_key) like @name", "name", wanted.Name)
	return q
}
