package postgres

import (
	"slices"
	"strconv"
	"strings"

	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
)

// facetQuery is what a search asks of the index of facets: facets that a map must have, and the parts of
// its keys that facets alone cannot decide, empty where they can.
type facetQuery struct {
	facets           []string
	namePart, byPart string
}

// nobodys is a control character, which neither tags nor keys have.
const nobodys = "\x01"

// newFacetQuery makes a query of the filters of a search.
func newFacetQuery(s parkourmap.Search) facetQuery {
	var q facetQuery
	if s.Mode != "" {
		q.facets = append(q.facets, modeFacet+s.Mode.String())
	}
	if s.AuthorID != "" {
		q.facets = append(q.facets, authorFacet+strings.ToLower(s.AuthorID))
	}
	q.facets = append(q.facets, prefixed(tagFacet, s.Tags)...)
	q.namePart = q.addTerm(nameFacet, s.Name)
	q.byPart = q.addTerm(byFacet, s.Author)
	for i, facet := range q.facets {
		// Nothing has what PostgreSQL would not store.
		q.facets[i] = strings.ReplaceAll(strings.ToValidUTF8(facet, nobodys), "\x00", nobodys)
	}
	slices.Sort(q.facets)
	q.facets = slices.Compact(q.facets)
	return q
}

// addTerm adds a part of a name, and returns it where its grams are not
// enough to decide.
func (q *facetQuery) addTerm(kind, term string) (undecided string) {
	key := searchkey.Key(term)
	grams := searchkey.TermGrams(key)
	q.facets = append(q.facets, prefixed(kind, grams)...)
	if len(grams) > 1 || len([]rune(key)) > searchkey.Longest {
		return key
	}
	return ""
}

// open tells whether every map is an answer.
func (q facetQuery) open() bool { return len(q.facets) == 0 }

// counted are the facets whose totals tell how many answers there are at most.
func (q facetQuery) counted() []string {
	if q.open() {
		return []string{everyMap}
	}
	return q.facets
}

// simple tells whether the answers are the maps of one facet, whose total is kept.
func (q facetQuery) simple() bool {
	return len(q.counted()) == 1 && q.namePart == "" && q.byPart == ""
}

// key tells the query apart from all others, as of a time when its facets had so
// many maps together.
func (q facetQuery) key(sum int64) string {
	return strings.Join(append(slices.Clone(q.facets), q.namePart, q.byPart, strconv.FormatInt(sum, 10)), "\x00")
}

// values are the parameters of a statement that is being written.
type values []any

// put adds a value and returns the parameter that stands for it.
func (v *values) put(value any) string {
	*v = append(*v, value)
	return "$" + strconv.Itoa(len(*v))
}

// byFacets is the condition of a query that is not open, on the table m, for
// the index of facets.
func (q facetQuery) byFacets(v *values) string {
	condition := "m.facets @> " + v.put(q.facets) + "::text[]"
	if q.namePart != "" {
		condition += " and strpos(m.search_key, " + v.put(q.namePart) + ") > 0"
	}
	if q.byPart != "" {
		condition += " and strpos(m.author_key, " + v.put(q.byPart) + ") > 0"
	}
	return condition
}

// byColumns is the same condition without the facets, for whoever walks along
// another index.
func byColumns(s parkourmap.Search, v *values) string {
	var conditions []string
	if key := searchkey.Key(s.Name); key != "" {
		conditions = append(conditions, "strpos(m.search_key, "+v.put(key)+") > 0")
	}
	if key := searchkey.Key(s.Author); key != "" {
		conditions = append(conditions, "strpos(m.author_key, "+v.put(key)+") > 0")
	}
	if len(s.Tags) > 0 {
		conditions = append(conditions, "m.tags @> "+v.put(s.Tags)+"::text[]")
	}
	if s.Mode != "" {
		conditions = append(conditions, "m.game_mode = "+v.put(s.Mode.String()))
	}
	if s.AuthorID != "" {
		conditions = append(conditions, "m.author_id = "+v.put(s.AuthorID)+"::uuid")
	}
	return strings.Join(conditions, " and ")
}
