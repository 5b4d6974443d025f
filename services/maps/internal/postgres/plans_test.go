package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/pgtest"
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
		{"the rarest facet", rarestSQL, "search_totals_pkey"},
		{"count a combination", countSQL(question{facets: []string{"name:a"}, namePart: "a", byPart: "a"}), "maps_by_facets"},
		{"a player", playerSQL, "players_pkey"},
		{"a player by name", playerNamedSQL, "players_by_name"},
		{"an author's maps", mapsOfAuthorSQL, "maps_by_author"},
		{"who names a file", namedSQL, "maps_by_replay"},
		{"republish", republishSQL, "maps_pkey"},
	} {
		checkPlan(t, s.name, genericPlan(t, pool, s.sql), s.index)
	}

	filters := map[string]parkourmap.Search{
		"everything":               {},
		"one letter":               {Name: "a"},
		"a rare letter":            {Name: "w"},
		"two letters":              {Name: "sk"},
		"three letters":            {Name: "sky"},
		"a word":                   {Name: "skyline"},
		"a letter of the author":   {Author: "e"},
		"a part of the author":     {Author: "runner1"},
		"a mode":                   {Mode: bonkmap.Classic},
		"a common tag":             {Tags: []string{"tag0"}},
		"two tags":                 {Tags: []string{"tag0", "tag1"}},
		"an author":                {AuthorID: someone},
		"one letter and a mode":    {Name: "a", Mode: bonkmap.Grapple},
		"one letter of both names": {Name: "a", Author: "e"},
		"everything at once":       {Name: "sky", Author: "runner", Mode: bonkmap.Classic, Tags: []string{"tag0"}, AuthorID: someone},
	}
	indexes := map[parkourmap.SortBy]string{
		parkourmap.ByName: "maps_by_name", parkourmap.ByCreated: "maps_by_created", parkourmap.ByRecords: "maps_by_records",
	}
	for name, filter := range filters {
		for sort, index := range indexes {
			for _, descending := range []bool{false, true} {
				filter.SortBy, filter.Descending, filter.Limit = sort, descending, 12
				total, err := New(pool).total(t.Context(), ask(filter))
				if err != nil {
					t.Fatal(err)
				}
				plan := explain(t, pool, pageSQL(filter, ask(filter), total), ask(filter).args())
				checkPlan(t, fmt.Sprintf("%s by %s, descending %v", name, sort, descending), plan, index, "maps_by_facets")
			}
		}
	}
	for sort, index := range indexes {
		deep := parkourmap.Search{SortBy: sort, Limit: 12, Offset: 12 * 500}
		checkPlan(t, "page 500 by "+string(sort), explain(t, pool, pageSQL(deep, ask(deep), 20_000), ask(deep).args()), "Index Only Scan using "+index)
	}
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

// explain returns the plan of a statement for its values.
func explain(t *testing.T, pool *pgxpool.Pool, sql string, args pgx.NamedArgs) string {
	t.Helper()
	rows, err := pool.Query(t.Context(), "explain (costs off) "+sql, pgx.QueryExecModeSimpleProtocol, args)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return strings.Join(lines, "\n")
}

// genericPlan returns the plan that serves all values of a statement.
func genericPlan(t *testing.T, pool *pgxpool.Pool, sql string) string {
	t.Helper()
	rewritten, args, err := pgx.NamedArgs{}.RewriteQuery(t.Context(), nil, sql, nil)
	if err != nil {
		t.Fatal(err)
	}
	parameters := max(len(args), 1)
	if strings.Contains(sql, "$2") {
		parameters = 2
	}
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), "prepare planned as "+rewritten); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	nulls := strings.TrimSuffix(strings.Repeat("null,", parameters), ",")
	rows, err := conn.Query(t.Context(), "explain (costs off) execute planned ("+nulls+")", pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	if _, err := conn.Exec(t.Context(), "deallocate planned"); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// manyMaps returns a database with 20,000 maps by 2,000 authors, and one of the authors.
func manyMaps(t *testing.T) (pool *pgxpool.Pool, author string) {
	t.Helper()
	const maps, authors = 20_000, 2_000
	url := pgtest.Database(t, "maps", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	pool, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)

	random := rand.New(rand.NewPCG(1, 2))
	ids, names := make([]string, authors), make([]string, authors)
	for i := range ids {
		ids[i], names[i] = uuid.Must(uuid.NewV7()).String(), inventedName(random, "Runner", i)
	}
	fill(t, pool, "players", []string{"id", "version", "removed", "name", "name_key", "skin_image_url", "skin_color", "banned"}, authors,
		func(i int) []any {
			return []any{ids[i], 1, false, names[i], playername.Key(names[i]), "", "#8e24aa", false}
		})
	// Filled at once, the index takes a second instead of ten.
	var definition string
	if err := pool.QueryRow(t.Context(), "select indexdef from pg_indexes where indexname = 'maps_by_facets'").Scan(&definition); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), "drop index maps_by_facets"); err != nil {
		t.Fatal(err)
	}
	modes := bonkmap.ParkourModes()
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	fill(t, pool, "maps", []string{
		"id", "version", "bonk_db_id", "name", "game_mode", "author_id", "submitted_by_id", "description", "tags", "contributors", "fingerprint",
		"image_key", "thumbnail_key", "replay_key", "created_at", "updated_at", "search_key", "author_key", "facets",
	}, maps, func(i int) []any {
		by := random.IntN(authors)
		m := parkourmap.Map{
			ID: uuid.Must(uuid.NewV7()).String(), Name: inventedName(random, "Skyline", i), Mode: modes[random.IntN(len(modes))],
			AuthorID: ids[by], Tags: []string{fmt.Sprintf("tag%d", i%7), fmt.Sprintf("tag%d", i%300)},
		}
		key, authorKey := searchkey.Key(m.Name), searchkey.Key(names[by])
		hash := fmt.Sprintf("%064d", i)
		when := at.Add(time.Duration(i) * time.Minute)
		return []any{
			m.ID, 1, 1000 + i, m.Name, m.Mode.String(), m.AuthorID, m.AuthorID, strings.Repeat("Mind the gap. ", 10), m.Tags, []string{}, hash,
			"maps/" + hash + ".webp", "maps/" + hash + "-480.webp", "replays/" + hash + ".lbReplay", when, when,
			key, authorKey, facetsOf(m, key, authorKey),
		}
	})
	for _, sql := range []string{
		definition,
		"insert into map_stats (map_id, version, records, listed) select id, 1, bonk_db_id * 7919 % 500, true from maps",
		"insert into search_totals (facet, maps) select facet, count(*) from maps cross join unnest(facets) as facet group by facet",
		"vacuum analyze maps, players, map_stats, search_totals",
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return pool, ids[0]
}

func fill(t *testing.T, pool *pgxpool.Pool, table string, columns []string, n int, row func(i int) []any) {
	t.Helper()
	rows := pgx.CopyFromSlice(n, func(i int) ([]any, error) { return row(i), nil })
	if _, err := pool.CopyFrom(t.Context(), pgx.Identifier{table}, columns, rows); err != nil {
		t.Fatal(err)
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
