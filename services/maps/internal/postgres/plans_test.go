package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/migrations"
)

// Every read of a large table goes by an index, for terms of every length and
// for what many maps have as well as for what few have.
func TestReadsOfManyMapsUseIndexes(t *testing.T) {
	t.Parallel()
	pool, someone := manyMaps(t)
	for _, s := range []struct{ name, sql, index string }{
		{"one map", entrySQL, "maps_pkey"},
		{"a map for a neighbour", byIDSQL, "maps_pkey"},
		{"a map by the game's id", byBonkDBIDSQL, "maps_bonk_db_id"},
		{"is a map there", existingSQL, "maps_bonk_db_id"},
		{"popular tags", tagsSQL, "search_totals_of_tags"},
		{"totals", totalsSQL, "search_totals_pkey"},
		{"count a combination", countSQL(facetQuery{facets: []string{"name:a"}, namePart: "a", byPart: "a"}, &values{}), "maps_by_facets"},
		{"a player", playerSQL, "players_pkey"},
		{"a player by name", playerNamedSQL, "players_by_name"},
		{"the maps of a merged player", mapsOfSQL, "maps_by_submitter"},
		{"an author's maps", mapsOfAuthorSQL, "maps_by_author"},
		{"who names a file", namedSQL, "maps_by_replay"},
		{"republish", republishSQL, "maps_pkey"},
	} {
		checkPlan(t, s.name, pgtest.GenericPlan(t, pool, s.sql), s.index)
	}

	for name, filter := range filters(someone) {
		for sort, index := range sortIndexes {
			for _, descending := range []bool{false, true} {
				filter.SortBy, filter.Descending, filter.Limit = sort, descending, 12
				asked := newFacetQuery(filter)
				name := fmt.Sprintf("%s by %s, descending %v", name, sort, descending)
				if asked.open() {
					checkPlan(t, name, pgtest.GenericPlan(t, pool, everything(filter).sql), "Index Only Scan using "+index)
					continue
				}
				checkPlan(t, name+", gathered", pgtest.GenericPlan(t, pool, gather(filter, asked).sql), "maps_by_facets")
				now, err := New(pool).totals(t.Context(), asked)
				if err != nil {
					t.Fatal(err)
				}
				if !walkIsShorter(filter, now) {
					continue
				}
				walked := walk(filter)
				plan := pgtest.GenericPlan(t, pool, walked.sql)
				if walked.planned {
					plan = pgtest.Plan(t, pool, walked.sql, walked.args...)
				}
				checkPlan(t, name+", walked", plan, index)
			}
		}
	}
	for sort, index := range sortIndexes {
		deep := parkourmap.Search{SortBy: sort, Limit: 12, Offset: 12 * 500}
		checkPlan(t, "page 500 by "+string(sort), pgtest.GenericPlan(t, pool, everything(deep).sql), "Index Only Scan using "+index)
	}
}

var sortIndexes = map[parkourmap.SortBy]string{
	parkourmap.ByName: "maps_by_name", parkourmap.ByCreated: "maps_by_created", parkourmap.ByRecords: "maps_by_records",
}

// filters that many, few and no maps pass.
func filters(author string) map[string]parkourmap.Search {
	return map[string]parkourmap.Search{
		"everything":               {},
		"one letter":               {Name: "a"},
		"a rare letter":            {Name: "w"},
		"two letters":              {Name: "sk"},
		"three letters":            {Name: "sky"},
		"a word":                   {Name: "skyline"},
		"a word of one":            {Name: "Skyline120"},
		"a word of none":           {Name: "aeiouaeiou"},
		"a letter of the author":   {Author: "e"},
		"a part of the author":     {Author: "runner1"},
		"a mode":                   {Mode: bonkmap.Classic},
		"a common tag":             {Tags: []string{"tag0"}},
		"two tags":                 {Tags: []string{"tag0", "tag1"}},
		"an author":                {AuthorID: author},
		"one letter and a mode":    {Name: "a", Mode: bonkmap.Grapple},
		"one letter of both names": {Name: "a", Author: "e"},
		"everything at once":       {Name: "sky", Author: "runner", Mode: bonkmap.Classic, Tags: []string{"tag0"}, AuthorID: author},
	}
}

// Both ways to a page find the same, and the total is what a slow count finds.
func TestWaysOfSearchingAgree(t *testing.T) {
	t.Parallel()
	pool, someone := manyMaps(t)
	store := New(pool)
	for name, filter := range filters(someone) {
		asked := newFacetQuery(filter)
		if asked.open() {
			continue
		}
		now, err := store.totals(t.Context(), asked)
		if err != nil {
			t.Fatal(err)
		}
		var (
			counted int64
			args    values
		)
		slowly := "select count(*) from maps m where " + byColumns(filter, &args)
		if err := pool.QueryRow(t.Context(), slowly, args...).Scan(&counted); err != nil || counted != now.found || now.all != 20_000 {
			t.Errorf("%s: the total is %d of %d, counted are %d, %v", name, now.found, now.all, counted, err)
		}
		for sort := range sortIndexes {
			for _, offset := range []int{0, 24} {
				filter.SortBy, filter.Descending, filter.Limit, filter.Offset = sort, offset > 0, 12, offset
				walked := idsOf(t, pool, walk(filter))
				gathered := idsOf(t, pool, gather(filter, asked))
				if diff := cmp.Diff(walked, gathered); diff != "" || int64(len(walked)) != min(12, max(0, now.found-int64(offset))) {
					t.Errorf("%s by %s from %d (-walked +gathered):\n%s", name, sort, offset, diff)
				}
			}
		}
	}
}

// What was seen of a facet chooses the way and saves a round trip, and nothing else:
// page and total are always what they are now.
func TestASearchIsRightWhateverWasSeenOfItsFacet(t *testing.T) {
	t.Parallel()
	pool, someone := manyMaps(t)
	for name, filter := range filters(someone) {
		for _, offset := range []int{0, 24, 100_000} {
			filter.SortBy, filter.Limit, filter.Offset = parkourmap.ByName, 12, offset
			asked := newFacetQuery(filter)
			if !asked.simple() {
				continue
			}
			want, err := New(pool).Search(t.Context(), filter)
			if err != nil {
				t.Fatal(err)
			}
			for _, seen := range []totals{{0, 0}, {1, 20_000}, {20_000, 20_000}, {1_000_000, 1}} {
				store := New(pool)
				store.note(asked, seen)
				got, err := store.Search(t.Context(), filter)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s from %d, where %+v were seen (-want +got):\n%s", name, offset, seen, diff)
				}
				if now, ok := store.before(asked); !ok || now != (totals{want.Total, 20_000}) {
					t.Errorf("%s from %d: seen are %+v now, want %d", name, offset, now, want.Total)
				}
			}
		}
	}
}

// The totals of facets are looked up also where so few are known that reading them
// all would not take much longer, which it does for each page.
func TestTotalsOfFewFacetsAreLookedUpByAnIndex(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "few facets", migrations.FS, func(ctx context.Context, pool *postgres.Pool) error {
		if _, err := pool.Exec(ctx, `insert into search_totals select i::text, i from generate_series(1, 2500) i`); err != nil {
			return err
		}
		_, err := pool.Exec(ctx, `vacuum analyze search_totals`)
		return err
	})
	checkPlan(t, "the totals", pgtest.GenericPlan(t, pool, totalsSQL), "search_totals_pkey")
}

// A count that was long is told again, but not after a change.
func TestACountThatIsToldAgainIsRight(t *testing.T) {
	t.Parallel()
	pool, _ := manyMaps(t)
	store := New(pool)
	search := parkourmap.Search{Tags: []string{"tag0"}, Mode: bonkmap.Classic, SortBy: parkourmap.ByName, Limit: 12}
	first, err := store.Search(t.Context(), search)
	if err != nil || first.Total < 2 {
		t.Fatalf("%d maps, %v", first.Total, err)
	}
	asked := newFacetQuery(search)
	sum := pgtest.Value[int64](t, pool, "select sum(maps)::bigint from search_totals where facet = any ($1)", asked.facets)
	if total, fresh := store.seen.Fresh(asked.key(sum), time.Now()); !fresh || total != first.Total {
		t.Errorf("remembered are %d, %v", total, fresh)
	}
	for gone := range int64(2) {
		if err := store.Remove(t.Context(), first.Entries[gone].ID, parkourmap.Attribution{Operator: "root", Reason: "a test"}); err != nil {
			t.Fatal(err)
		}
		again, err := store.Search(t.Context(), search)
		if err != nil || again.Total != first.Total-gone-1 {
			t.Errorf("after %d removals there are %d of %d maps, %v", gone+1, again.Total, first.Total, err)
		}
	}
}

func idsOf(t *testing.T, pool *postgres.Pool, to way) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), to.sql, append([]any{pgx.QueryExecModeSimpleProtocol}, to.args...)...)
	if err != nil {
		t.Fatal(err)
	}
	found, err := collectEntries(rows, 12)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, entry := range found {
		ids = append(ids, entry.ID)
	}
	return ids
}

// checkPlan fails where a plan reads a whole table, or uses none of the indexes.
func checkPlan(t *testing.T, name, plan string, indexes ...string) {
	t.Helper()
	used := false
	for _, index := range indexes {
		used = used || strings.Contains(strings.ReplaceAll(plan, "Scan Backward using", "Scan using"), index)
	}
	if !used || strings.Contains(plan, "Seq Scan") {
		t.Errorf("%s, where %v is wanted:\n%s", name, indexes, plan)
	}
}

// manyMaps returns a database with 20,000 maps by 2,000 authors, and one of the authors.
func manyMaps(tb testing.TB) (pool *postgres.Pool, author string) {
	tb.Helper()
	pool = pgtest.Open(tb, "many maps", migrations.FS, inventMaps)
	return pool, inventedAuthor(0)
}

func inventedAuthor(i int) string { return fmt.Sprintf("0198c2f4-0000-7000-8000-%012d", i) }

func inventMaps(ctx context.Context, pool *postgres.Pool) error {
	const maps, authors = 20_000, 2_000
	random := rand.New(rand.NewPCG(1, 2))
	names := make([]string, authors)
	players := pgx.CopyFromSlice(authors, func(i int) ([]any, error) {
		names[i] = inventedName(random, "Runner", i)
		return []any{inventedAuthor(i), 1, false, names[i], playername.Key(names[i]), "", "#8e24aa", false}, nil
	})
	columns := []string{"id", "version", "removed", "name", "name_key", "skin_image_url", "skin_color", "banned"}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"players"}, columns, players); err != nil {
		return err
	}
	// Filled at once, the index takes a second instead of ten.
	var definition string
	if err := pool.QueryRow(ctx, "select indexdef from pg_indexes where indexname = 'maps_by_facets'").Scan(&definition); err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, "drop index maps_by_facets"); err != nil {
		return err
	}
	rows := pgx.CopyFromSlice(maps, func(i int) ([]any, error) { return inventedRow(random, i, names), nil })
	columns = []string{
		"id", "version", "bonk_db_id", "name", "game_mode", "author_id", "submitted_by_id", "description", "tags", "contributors", "fingerprint",
		"image_key", "thumbnail_key", "replay_key", "created_at", "updated_at", "search_key", "author_key", "facets",
	}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"maps"}, columns, rows); err != nil {
		return err
	}
	for _, sql := range []string{
		definition,
		"insert into map_stats (map_id, version, records, listed) select id, 1, bonk_db_id * 7919 % 500, true from maps",
		"insert into search_totals (facet, maps) select facet, count(*) from maps cross join unnest(facets) as facet group by facet",
		"vacuum analyze maps, players, map_stats, search_totals",
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

func inventedRow(random *rand.Rand, i int, authors []string) []any {
	by := random.IntN(len(authors))
	modes := bonkmap.ParkourModes()
	m := parkourmap.Map{
		ID: uuid.Must(uuid.NewV7()).String(), Name: inventedName(random, "Skyline", i), Mode: modes[random.IntN(len(modes))],
		AuthorID: inventedAuthor(by), Tags: []string{fmt.Sprintf("tag%d", i%7), fmt.Sprintf("tag%d", i%300)},
	}
	key, authorKey := searchkey.Key(m.Name), searchkey.Key(authors[by])
	hash := fmt.Sprintf("%064d", i)
	when := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute)
	return []any{
		m.ID, 1, 1000 + i, m.Name, m.Mode.String(), m.AuthorID, m.AuthorID, strings.Repeat("Mind the gap. ", 10), m.Tags, []string{}, hash,
		"maps/" + hash + ".webp", "maps/" + hash + "-480.webp", "replays/" + hash + ".lbReplay", when, when,
		key, authorKey, facetsOf(m, key, authorKey),
	}
}

// inventedName begins with a common word or is made of letters as names have them.
func inventedName(random *rand.Rand, common string, i int) string {
	if i%20 == 0 {
		return fmt.Sprintf("%s%d", common, i)
	}
	letters := make([]byte, 4+random.IntN(12))
	for j := range letters {
		letters[j] = "aaabcdeeefghiiijklmnooopqrstuuvwxyz "[random.IntN(36)]
	}
	return fmt.Sprintf("%s%d", letters, i)
}
