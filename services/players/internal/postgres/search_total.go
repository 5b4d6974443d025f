package postgres

import (
	"context"
	"fmt"
	"sync"
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
	if total, ok := s.remembered.get(term, time.Now()); ok {
		return total, nil
	}
	most, err := s.atMost(ctx, term)
	if err != nil || most == 0 || utf8.RuneCountInString(term) <= searchkey.Longest {
		return most, err
	}
	var total int64
	args := pgx.NamedArgs{"term": term, "grams": searchkey.TermGrams(term)}
	if err := s.pool.QueryRow(ctx, countSQL, args).Scan(&total); err != nil {
		return 0, fmt.Errorf("count players found: %w", err)
	}
	if total > gatherUpTo {
		s.remembered.put(term, total, time.Now())
	}
	return total, nil
}

const countSQL = `select count(*) from players where ` + matches

const atMostSQL = `
	select coalesce(min(coalesce(players, 0)), 0)
	from unnest(@grams::text[]) as wanted (gram)
	left join search_totals using (gram)`

// atMost returns how many registered players have the rarest gram of the term.
func (s *Players) atMost(ctx context.Context, term string) (most int64, err error) {
	grams := searchkey.TermGrams(term)
	if term == "" {
		grams = []string{everyone}
	}
	if err := s.pool.QueryRow(ctx, atMostSQL, pgx.NamedArgs{"grams": grams}).Scan(&most); err != nil {
		return 0, fmt.Errorf("search totals: %w", err)
	}
	return most, nil
}

const (
	// rememberFor is how old the total of a long term may be that more than a
	// thousand players have in their name.
	rememberFor = 5 * time.Second
	// rememberMost bounds the memory: past it, everything is forgotten.
	rememberMost = 1000
)

// totals remembers counts for a moment. The zero value is empty.
type totals struct {
	mu     sync.Mutex
	byTerm map[string]countedTotal
}

type countedTotal struct {
	total int64
	at    time.Time
}

func (t *totals) get(term string, now time.Time) (int64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	counted, ok := t.byTerm[term]
	return counted.total, ok && now.Sub(counted.at) < rememberFor
}

func (t *totals) put(term string, total int64, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byTerm == nil || len(t.byTerm) >= rememberMost {
		t.byTerm = map[string]countedTotal{}
	}
	t.byTerm[term] = countedTotal{total, now}
}
