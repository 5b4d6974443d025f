package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
)

// A facet is one thing that a search can ask of a map, in one word: its mode, its
// author, one of its tags, a gram of its name, a gram of its author's name. The
// facets of a map lie under one index, so that a search with several filters looks
// up their intersection; search_totals counts the maps of each.
const (
	everyMap    = ""
	modeFacet   = "mode:"
	authorFacet = "author:"
	tagFacet    = "tag:"
	nameFacet   = "name:"
	byFacet     = "by:"
)

// facetsOf returns the facets of a map, sorted.
func facetsOf(m parkourmap.Map, searchKey, authorKey string) []string {
	facets := []string{everyMap, modeFacet + m.Mode.String(), authorFacet + m.AuthorID}
	facets = append(facets, prefixed(tagFacet, m.Tags)...)
	facets = append(facets, prefixed(nameFacet, searchkey.Grams(searchKey))...)
	facets = append(facets, prefixed(byFacet, searchkey.Grams(authorKey))...)
	slices.Sort(facets)
	return slices.Compact(facets)
}

// recount moves a map from some facets to others in the totals. The rows are
// locked in one order, so that changes of several maps wait for each other.
func recount(ctx context.Context, tx pgx.Tx, from, to []string) error {
	const recountSQL = `
		insert into search_totals as t (facet, maps)
		select facet, sum(change) from (
			select unnest(@from::text[]) collate "C", -1
			union all
			select unnest(@to::text[]) collate "C", 1
		) as changes (facet, change)
		group by facet having sum(change) <> 0
		order by facet
		on conflict (facet) do update set maps = t.maps + excluded.maps`
	if _, err := tx.Exec(ctx, recountSQL, pgx.NamedArgs{"from": from, "to": to}); err != nil {
		return fmt.Errorf("recount facets: %w", err)
	}
	return nil
}

func prefixed(kind string, words []string) []string {
	facets := make([]string, len(words))
	for i, word := range words {
		facets[i] = kind + word
	}
	return facets
}
