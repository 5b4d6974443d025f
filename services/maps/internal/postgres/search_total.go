package postgres

import (
	"context"
	"fmt"
	"time"
)

// totals are how many maps answer a query, and how many there are.
type totals struct{ found, all int64 }

// totalsSQL looks each facet up by itself: "offset 0" keeps the planner, which does
// not know how few they are, from reading all totals to join them.
const totalsSQL = `
	select coalesce(min(coalesce(t.maps, 0)), 0), coalesce(sum(t.maps), 0)::bigint, coalesce((select maps from search_totals where facet = ''), 0)
	from unnest($1::text[]) as wanted (facet)
	left join lateral (select maps from search_totals where search_totals.facet = wanted.facet collate "C" offset 0) t on true`

// rememberFrom is how many maps the rarest facet of a combination has at least whose
// count is remembered for a moment.
const rememberFrom = 1000

// totals returns how many maps answer the query, and how many there are. What
// is asked with one filter is counted already, and a facet that no map has needs
// no search. Only a combination is counted, in the index, which takes the longer the
// more maps there are: a long count is told again for a moment, as long as its
// facets' totals are what they were.
func (s *Store) totals(ctx context.Context, asked facetQuery) (now totals, err error) {
	var least, sum int64
	if err := s.pool.QueryRow(ctx, totalsSQL, asked.counted()).Scan(&least, &sum, &now.all); err != nil {
		return totals{}, fmt.Errorf("search totals: %w", err)
	}
	if asked.simple() {
		now.found = least
		s.note(asked, now)
		return now, nil
	}
	if least == 0 {
		return now, nil
	}
	key := asked.key(sum)
	if found, fresh := s.seen.Fresh(key, time.Now()); fresh {
		now.found = found
		return now, nil
	}
	var args values
	if err := s.pool.QueryRow(ctx, countSQL(asked, &args), args...).Scan(&now.found); err != nil {
		return totals{}, fmt.Errorf("count maps: %w", err)
	}
	if least >= rememberFrom {
		s.seen.Put(key, now.found, time.Now())
	}
	return now, nil
}

func countSQL(asked facetQuery, v *values) string {
	return "select count(*) from maps m where " + asked.byFacets(v)
}

// note keeps the totals of a simple query for the next who asks it.
func (s *Store) note(asked facetQuery, now totals) {
	s.seen.Put(asked.counted()[0], now.found, time.Now())
	s.seen.Put(everyMap, now.all, time.Now())
}

// before returns what the totals of a simple query were the last time.
func (s *Store) before(asked facetQuery) (before totals, ok bool) {
	if !asked.simple() {
		return totals{}, false
	}
	found, foundSeen := s.seen.Last(asked.counted()[0])
	all, allSeen := s.seen.Last(everyMap)
	return totals{found, all}, foundSeen && allSeen
}
