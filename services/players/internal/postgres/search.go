package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/searchkey"
	"capzone.dev/services/players/internal/player"
)

// gatherUpTo is how many players a search fetches and sorts at most. Where more
// have the term in their name, walking along the sort's index and passing over
// the others fills a page soon.
const gatherUpTo = 1000

// Search implements player.Searcher. The total says which way to the page is
// short. What it was the last time says so as well, and saves a round trip.
func (s *Players) Search(ctx context.Context, q player.Query) ([]player.Profile, int64, error) {
	term := searchkey.Key(q.Name)
	if before, ok := s.seen.Last(term); ok && isKept(term) && before > int64(q.Offset) {
		return s.totalAndPage(ctx, q, term, wayTo(q, term, before))
	}
	total, err := s.total(ctx, term)
	if err != nil || total <= int64(q.Offset) {
		return nil, total, err
	}
	page, err := s.page(ctx, q, wayTo(q, term, total))
	return page, total, err
}

// way is a statement that finds a page, with its values.
type way struct {
	sql  string
	args []any
}

// wayTo is the short way to a page of a search that so many players answer.
func wayTo(q player.Query, term string, total int64) way {
	switch {
	case term == "":
		return everybody(q)
	case total > gatherUpTo:
		return walk(q, term)
	}
	return gather(q, term)
}

// totalAndPage reads a total that is kept, and a page, in one round trip.
func (s *Players) totalAndPage(ctx context.Context, q player.Query, term string, to way) (page []player.Profile, total int64, err error) {
	batch := &pgx.Batch{}
	batch.Queue(atMostSQL, countedGrams(term)).QueryRow(func(row pgx.Row) error { return row.Scan(&total, nil) })
	batch.Queue(to.sql, to.args...).Query(func(rows pgx.Rows) (err error) {
		page, err = collectProfiles(rows, q.Limit)
		return err
	})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, 0, fmt.Errorf("search players: %w", err)
	}
	s.seen.Put(term, total, time.Now())
	return page, total, nil
}

// matches is whom a search finds: those with the grams $1 who have the term $2.
const matches = `registered and grams @> $1 and strpos(search_key, $2) > 0`

func (s *Players) page(ctx context.Context, q player.Query, to way) ([]player.Profile, error) {
	rows, err := s.pool.Query(ctx, to.sql, to.args...)
	if err != nil {
		return nil, fmt.Errorf("search players: %w", err)
	}
	profiles, err := collectProfiles(rows, q.Limit)
	if err != nil {
		return nil, fmt.Errorf("search players: %w", err)
	}
	return profiles, nil
}

// sortColumns have an index each.
var sortColumns = map[player.Sort]string{
	player.ByName:    "search_key",
	player.ByLevel:   "level",
	player.ByCreated: "created_at",
	player.ByUpdated: "updated_at",
}

func order(q player.Query) string {
	direction := "asc"
	if q.Descending {
		direction = "desc"
	}
	return fmt.Sprintf("order by %s %s, id %s", sortColumns[q.Sort], direction, direction)
}

// slice is written into the statement, because plans are made once for all
// values (see postgres.Open), and a page of an unknown size would be planned for
// as a tenth of the table. Few pages are asked for often.
func slice(q player.Query) string { return fmt.Sprintf("limit %d offset %d", q.Limit, q.Offset) }

// everybody is the page of a search without a term.
func everybody(q player.Query) way {
	return way{sql: profilesOf(q, `select id from players where registered `+order(q)+` `+slice(q))}
}

// walk is the page of a search for what many have, in the order of the sort's index.
func walk(q player.Query, term string) way {
	return way{
		profilesOf(q, `select id from players where registered and strpos(search_key, $1) > 0 `+order(q)+` `+slice(q)),
		[]any{term},
	}
}

// gather is the page of a search for what few have: found by their grams, then sorted.
func gather(q player.Query, term string) way {
	column := sortColumns[q.Sort]
	return way{
		profilesOf(q, `
		with found as materialized (select id, `+column+` from players where `+matches+`)
		select id from found `+order(q)+` `+slice(q)),
		[]any{searchkey.TermGrams(term), term},
	}
}

// profilesOf reads the players whose ids are selected by page, in its order.
func profilesOf(q player.Query, page string) string {
	return `select ` + profileColumns + `
		from (` + page + `) as page
		join players using (id)
		left join player_totals on player_id = id ` + order(q)
}
