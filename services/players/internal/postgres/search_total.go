package postgres

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/searchkey"
)

// total returns how many registered players have the term's key in their name.
// A term of up to three letters is a gram, whose total is kept; so is the number
// of everybody. A longer one is counted by its grams, which takes the longer the
// more there are: a large count is remembered for a moment.
func (s *Players) total(ctx context.Context, term string) (int64, error) {
	if isKept(term) {
		most, err := s.atMost(ctx, term)
		if err == nil {
			s.seen.Put(term, most, time.Now())
		}
		return most, err
	}
	if total, fresh := s.seen.Fresh(term, time.Now()); fresh {
		return total, nil
	}
	most, err := s.atMost(ctx, term)
	if err != nil || most == 0 {
		return most, err
	}
	var total int64
	args := pgx.NamedArgs{"term": term, "grams": searchkey.TermGrams(term)}
	if err := s.pool.QueryRow(ctx, countSQL, args).Scan(&total); err != nil {
		return 0, fmt.Errorf("count players found: %w", err)
	}
	if total > gatherUpTo {
		s.seen.Put(term, total, time.Now())
	}
	return total, nil
}

// isKept tells whether the total of a term is kept in search_totals.
func isKept(term string) bool { return utf8.RuneCountInString(term) <= searchkey.Longest }

const countSQL = `select count(*) from players where ` + matches

const atMostSQL = `
	select coalesce(min(coalesce(players, 0)), 0)
	from unnest(@grams::text[]) as wanted (gram)
	left join search_totals using (gram)`

// atMost returns how many registered players have the rarest gram of the term.
func (s *Players) atMost(ctx context.Context, term string) (most int64, err error) {
	if err := s.pool.QueryRow(ctx, atMostSQL, pgx.NamedArgs{"grams": countedGrams(term)}).Scan(&most); err != nil {
		return 0, fmt.Errorf("search totals: %w", err)
	}
	return most, nil
}

// countedGrams are the grams by which the totals of a term are found.
func countedGrams(term string) []string {
	if term == "" {
		return []string{everyone}
	}
	return searchkey.TermGrams(term)
}
