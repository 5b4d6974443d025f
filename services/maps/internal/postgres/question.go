package postgres

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
)

// question is what a search asks of the index of facets: facets that a map must have, and the parts of
// its keys that facets alone cannot decide, empty where they can.
type question struct {
	facets           []string
	namePart, byPart string
}

// ask turns the filters of a search into a question.
func ask(s parkourmap.Search) question {
	var q question
	if s.Mode != "" {
		q.facets = append(q.facets, modeFacet+s.Mode.String())
	}
	if s.AuthorID != "" {
		q.facets = append(q.facets, authorFacet+strings.ToLower(s.AuthorID))
	}
	q.facets = append(q.facets, prefixed(tagFacet, s.Tags)...)
	q.namePart = q.askPart(nameFacet, s.Name)
	q.byPart = q.askPart(byFacet, s.Author)
	for i, facet := range q.facets {
		// Nothing has what PostgreSQL would not store.
		q.facets[i] = strings.ReplaceAll(strings.ToValidUTF8(facet, "\uFFFD"), "\x00", "\uFFFD")
	}
	slices.Sort(q.facets)
	q.facets = slices.Compact(q.facets)
	return q
}

// askPart asks for a part of a name, and returns it where its grams are not
// enough to decide.
func (q *question) askPart(kind, term string) (undecided string) {
	key := searchkey.Key(term)
	grams := searchkey.TermGrams(key)
	q.facets = append(q.facets, prefixed(kind, grams)...)
	if len(grams) > 1 || len([]rune(key)) > searchkey.Longest {
		return key
	}
	return ""
}

// open tells whether every map is an answer.
func (q question) open() bool { return len(q.facets) == 0 }

// simple tells whether the answers are the maps of one facet.
func (q question) simple() bool {
	return len(q.facets) == 1 && q.namePart == "" && q.byPart == ""
}

// key tells the question apart from all others, as of a time when its facets had so
// many maps together.
func (q question) key(sum int64) string {
	return strings.Join(append(slices.Clone(q.facets), q.namePart, q.byPart, strconv.FormatInt(sum, 10)), "\x00")
}

// args are the values of both conditions.
func (q question) args(s parkourmap.Search) pgx.NamedArgs {
	return pgx.NamedArgs{
		"facets": q.facets, "namePart": q.namePart, "byPart": q.byPart,
		"name": searchkey.Key(s.Name), "author": searchkey.Key(s.Author), "tags": s.Tags, "mode": s.Mode.String(), "by": s.AuthorID,
	}
}

// byFacets is the condition of a question that is not open, on the table m, for
// the index of facets.
func (q question) byFacets() string {
	condition := "m.facets @> @facets::text[]"
	if q.namePart != "" {
		condition += " and strpos(m.search_key, @namePart) > 0"
	}
	if q.byPart != "" {
		condition += " and strpos(m.author_key, @byPart) > 0"
	}
	return condition
}

// byColumns is the same condition without the facets, for whoever walks along
// another index.
func (q question) byColumns(s parkourmap.Search) string {
	var conditions []string
	for _, c := range []struct {
		asked     bool
		condition string
	}{
		{searchkey.Key(s.Name) != "", "strpos(m.search_key, @name) > 0"},
		{searchkey.Key(s.Author) != "", "strpos(m.author_key, @author) > 0"},
		{len(s.Tags) > 0, "m.tags @> @tags::text[]"},
		{s.Mode != "", "m.game_mode = @mode"},
		{s.AuthorID != "", "m.author_id = @by::uuid"},
	} {
		if c.asked {
			conditions = append(conditions, c.condition)
		}
	}
	return strings.Join(conditions, " and ")
}
