package postgres

import (
	"context"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/searchkey"
)

// total returns how many registered players have the term's key in their name.
// A term of up to three letters is a gram, whose total is kept; so is the number
// of everybody. A longer one is counted by its grams, which takes the longer the
// more there are: a long count is told again for a moment, as long as the grams'
// totals are what they were.
func (s *Players) total(ctx context.Context, term string) (total int64, err error) {
	most, sum, err := s.atMost(ctx, term)
	if err != nil {
		return 0, err
	}
	if isKept(term) {
		s.seen.Put(term, most, time.Now())
		return most, nil
	}
	if most == 0 {
		return 0, nil
	}
	key := term + "\x00" + strconv.FormatInt(sum, 10)
	if total, fresh := s.seen.Fresh(key, time.Now()); fresh {
		return total, nil
	}
	if err := s.pool.QueryRow(ctx, countSQL, searchkey.TermGrams(term), term).Scan(&total); err != nil {
		return 0, fmt.Errorf("count players found: %w", err)
	}
	if most > gatherUpTo {
		s.seen.Put(key, total, time.Now())
	}
	return total, nil
}

// isKept tells whether the total of a term is kept in search_totals.
func isKept(term string) bool { return utf8.RuneCountInString(term) <= searchkey.Longest }

const countSQL = `select count(*) from players where ` + matches

// atMostSQL looks each gram up by itself: "offset 0" keeps the planner, which does
// not know how few they are, from reading all totals to join them.
const atMostSQL = `
	select coalesce(min(coalesce(players, 0)), 0), coalesce(sum(players), 0)::bigint
	from unnest($1::text[]) as wanted (gram)
	left join lateral (select players from search_totals where search_totals.gram = wanted.gram offset 0) as kept on true`

// atMost returns how many registered players have the rarest gram of the term, and
// how many its grams have together.
func (s *Players) atMost(ctx context.Context, term string) (most, sum int64, err error) {
	if err := s.pool.QueryRow(ctx, atMostSQL, countedGrams(term)).Scan(&most, &sum); err != nil {
		return 0, 0, fmt.Errorf("search totals: %w", err)
	}
	return most, sum, nil
}

// countedGrams are the grams by which the totals of a term are found.
func countedGrams(term string) []string {
	if term == "" {
		return []string{everyone}
	}
	return searchkey.TermGrams(term)
}
