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

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/migrations"
)

// Every read of a large table uses an index.
func TestStore_plans(t *testing.T) {
	t.Parallel()
	pool, _ := manyMaps(t)
	for _, s := range []struct{ name, sql, index string }{
		{"Entry", entrySQL, "maps_pkey"},
		{"ByID", byIDSQL, "maps_pkey"},
		{"ByGameMapID", byGameMapIDSQL, "Index Scan using maps_"},
		{"versions of a game map", gameMapSQL, "Index Scan using maps_"},
		{"SameData", sameDataSQL, "map_data_pkey"},
		{"IsPublic", isPublicSQL, "maps_by_picture_thumbnail"},
		{"listVersions", listVersionsSQL, "Index Scan using maps_"},
		{"DrawNext", nextDueSQL, "maps_to_draw"},
		{"Versions", versionsSQL, "maps_game_map_id"},
		{"EncodedMap", encodedMapSQL, "map_data_pkey"},
		{"IDs", idsSQL, "maps_by_id"},
		{"count of IDs", countIDsSQL, "Index Only Scan using maps_by_"},
		{"PopularTags", popularTagsSQL, "tag_counts_by_maps"},
		{"Player", copies.PlayerSQL, "players_pkey"},
		{"PlayerNamed", playerNamedSQL, "players_by_name"},
		{"maps of a merged player", lockMapsOfSQL, "maps_by_submitter"},
		{"a replaced picture", isPublicSQL, "map_edits_by_image"},
		{"a replaced thumbnail", isReferencedSQL, "map_edits_by_thumbnail"},
		{"Edits", editsSQL, "map_edits_of_map"},
		{"FindEdit", editSQL, "map_edits_pkey"},
		{"old edits", deleteOldEditsSQL, "map_edits_of_map"},
		{"edits of a merged player", transferEditsSQL, "map_edits_by_editor"},
		{"IsReferenced", isReferencedSQL, "maps_by_replay"},
		{"Republish", republishSQL, "maps_pkey"},
		{"maps of a deleted player", lockMapsOfSQL, "maps_by_author"},
		{"edits of a deleted player's maps", emptyEditsSQL, "map_edits_of_map"},
		{"players merged into a deleted player", forgetTombstonesSQL, "players_merged_into"},
	} {
		checkPlan(t, s.name, pgtest.GenericPlan(t, pool, s.sql), s.index)
	}
	exporttest.WantPlans(t, pool, Exports)
}

// Reads and changes of imported maps use indexes.
func TestStore_Import_plans(t *testing.T) {
	t.Parallel()
	pool, _ := manyMaps(t)
	for _, s := range []struct{ name, sql, index string }{
		{"ImportedMap", importedMapSQL, "listed_maps_pkey"},
		{"imported maps of a file", importedMapsSQL, "listed_maps_game_map_id"},
		{"maps of a file on the site", onSiteSQL, "Index Scan using maps_"},
		{"Unlist", unlistSQL, "listed_maps_game_map_id"},
		{"newest version", setNewestVersionSQL, "listed_maps_game_map_id"},
	} {
		checkPlan(t, s.name, pgtest.GenericPlan(t, pool, s.sql), s.index)
	}
	for _, term := range []string{"", "sk", "kyli", "aeiouaeiou", "跑酷"} {
		for _, offset := range []int{0, 25 * 160} {
			q := withoutReplayQuery(term, parkourmap.Page{Limit: 25, Offset: offset})
			name := fmt.Sprintf("imported maps named %q from %d", term, offset)
			checkPlan(t, name, pgtest.Plan(t, pool, q.PageSQL(), q.Args()), "listed_maps_by_")
			checkPlan(t, "count of "+name, pgtest.Plan(t, pool, q.CountSQL(), q.Args()), "listed_maps_by_")
		}
	}
}

// Searches use indexes for terms of every length, for what many maps have and for what few
// have. Pages are planned for their values: without a known limit a plan costs so much more
// that PostgreSQL never prefers it.
func TestStore_Search_plans(t *testing.T) {
	t.Parallel()
	pool, someone := manyMaps(t)
	for name, filter := range filters(someone) {
		for sort := range sortIndexes {
			filter.Sort, filter.Page.Limit = parkourmap.Sort{By: sort, Descending: sort != parkourmap.ByName}, 12
			q := searchQuery(filter)
			name := fmt.Sprintf("%s by %s", name, sort)
			if name := "count " + name; sort == parkourmap.ByName {
				checkPlan(t, name, pgtest.Plan(t, pool, q.CountSQL(), q.Args()), "maps_by_")
				checkPlan(t, name, pgtest.GenericPlan(t, pool, q.CountSQL()), "maps_by_")
			}
			checkPlan(t, name, pgtest.Plan(t, pool, q.PageSQL(), q.Args()), "maps_by_")
		}
	}
	for sort, index := range sortIndexes {
		for _, offset := range []int{0, 12 * 200} {
			if sort == parkourmap.ByRecords && offset > 0 {
				continue // the site does not offer this order
			}
			q := searchQuery(parkourmap.Search{
				Sort: parkourmap.Sort{By: sort}, Page: parkourmap.Page{Limit: 12, Offset: offset},
			})
			name := fmt.Sprintf("all maps by %s from %d", sort, offset)
			checkPlan(t, name, pgtest.Plan(t, pool, q.PageSQL(), q.Args()), "Index Only Scan using "+index)
		}
		after := parkourmap.Position{ID: someone, Value: "1"}
		q := searchQuery(parkourmap.Search{Sort: parkourmap.Sort{By: sort}, Page: parkourmap.Page{Limit: 12}, After: &after})
		plan := pgtest.Plan(t, pool, q.PageSQL(), q.Args())
		checkPlan(t, fmt.Sprintf("all maps by %s after one", sort), plan, "Index Only Scan using "+index)
		if !strings.Contains(plan, "Index Cond: (ROW(") {
			t.Errorf("maps before the page are read by %s:\n%s", sort, plan)
		}
	}
}

// Searches by progress read no whole table either.
func TestStore_Search_by_progress_plans(t *testing.T) {
	t.Parallel()
	pool, _ := manyMaps(t)
	played := playedOf(t, pool, planned/4)
	for _, s := range []parkourmap.Search{
		{Progress: event.Played, Played: played},
		{Progress: event.Near, Played: played[:20]},
		{Progress: event.Unplayed, Played: played},
		{Progress: event.Played, Played: played, Name: "sky"},
		{Progress: event.Unplayed, Played: played, Mode: bonkmap.Grapple},
	} {
		for sort, index := range sortIndexes {
			s.Sort, s.Page.Limit = parkourmap.Sort{By: sort}, 12
			q := searchQuery(s)
			plan := pgtest.Plan(t, pool, q.PageSQL(), q.Args())
			if strings.Contains(plan, "Seq Scan on maps") {
				t.Errorf("%s by %s of %d, where %s is wanted:\n%.3000s", s.Progress, sort, len(s.Played), index, plan)
			}
		}
	}
	q := searchQuery(parkourmap.Search{
		Played: played, Sort: parkourmap.Sort{By: parkourmap.ByRank}, Page: parkourmap.Page{Limit: 12},
	})
	if plan := pgtest.Plan(t, pool, q.PageSQL(), q.Args()); !strings.Contains(plan, "Index Cond: (id = played.id)") ||
		strings.Contains(plan, "Seq Scan on maps") {
		t.Errorf("by rank:\n%.3000s", plan)
	}
}

// playedOf returns the ids of some maps, in the order of the ids.
func playedOf(tb testing.TB, pool *postgres.Pool, count int) [][16]byte {
	tb.Helper()
	const sql = `select id from (select id from maps order by md5(id::text) limit $1) played order by id`
	rows, err := pool.Query(tb.Context(), sql, count)
	require.NoError(tb, err)
	played, err := pgx.CollectRows(rows, pgx.RowTo[[16]byte])
	require.NoError(tb, err)
	return played
}

var sortIndexes = map[parkourmap.SortBy]string{
	parkourmap.ByName: "maps_by_name", parkourmap.ByCreated: "maps_by_created", parkourmap.ByRecords: "maps_by_records",
}

// filters returns searches that many, few and no maps match.
func filters(author string) map[string]parkourmap.Search {
	return map[string]parkourmap.Search{
		"everything":                {},
		"one letter":                {Name: "a"},
		"two letters":               {Name: "sk"},
		"a part of a word":          {Name: "kyli"},
		"characters that are words": {Name: "跑酷"},
		"a word of none":            {Name: "aeiouaeiou"},
		"a part of the author":      {Author: "runner1"},
		"a mode":                    {Mode: bonkmap.Classic},
		"a common tag":              {Tags: []string{"tag0"}},
		"an author":                 {AuthorID: author},
		"everything at once": {Name: "sky", Author: "runner", Mode: bonkmap.Classic, Tags: []string{"tag0"},
			AuthorID: author},
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

// planned and plannedAuthors are the maps and authors of the plans: as many as make indexes worth their use.
const planned, plannedAuthors = 8_000, 800

// manyMaps returns a database with maps, of which every author has ten, and one of the authors.
func manyMaps(t *testing.T) (pool *postgres.Pool, author string) {
	t.Helper()
	pool = pgtest.Open(t, "many maps", migrations.FS, inventMaps)
	return pool, inventedAuthor(0)
}

func inventedAuthor(i int) string { return fmt.Sprintf("0198c2f4-0000-7000-8000-%012d", i) }

func inventMaps(ctx context.Context, pool *postgres.Pool) error {
	random := rand.New(rand.NewPCG(1, 2))
	names := make([]string, plannedAuthors)
	players := pgx.CopyFromSlice(plannedAuthors, func(i int) ([]any, error) {
		names[i] = inventedName(random, "Runner", i)
		key := playername.Key(names[i])
		return []any{inventedAuthor(i), 1, false, names[i], key, search.Key(names[i]), "", "#8e24aa", false}, nil
	})
	columns := []string{
		"id", "version", "removed", "name", "name_key", "search_key", "skin_image_url", "skin_color", "banned",
	}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"players"}, columns, players); err != nil {
		return err
	}
	rows := pgx.CopyFromSlice(planned, func(i int) ([]any, error) { return inventedRow(random, i), nil })
	columns = []string{
		"id", "version", "game_map_id", "name", "game_mode", "author_id", "submitted_by_id", "description", "tags",
		"contributors", "fingerprint", "image_key", "thumbnail_key", "replay_key", "created_at", "updated_at", "search_key",
	}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"maps"}, columns, rows); err != nil {
		return err
	}
	const statsSQL = `
		insert into map_stats (map_id, version, records, listed)
		select id, 1, game_map_id * 7919 % 500, true from maps`
	if _, err := pool.Exec(ctx, statsSQL); err != nil {
		return err
	}
	listed := pgx.CopyFromSlice(planned, func(i int) ([]any, error) {
		name, when := inventedName(random, "Skyline", i), time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		id := uuid.Must(uuid.NewV7())
		return []any{id, 1_000_000 + i, name, search.Key(name), []string{"cloudstep"}, "", when, when}, nil
	})
	columns = []string{"id", "game_map_id", "name", "search_key", "authors", "page", "imported_at", "updated_at"}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"listed_maps"}, columns, listed); err != nil {
		return err
	}
	return pgtest.Vacuum(ctx, pool, "maps", "players", "map_stats", "tag_counts", "listed_maps")
}

func inventedRow(random *rand.Rand, i int) []any {
	modes := bonkmap.ParkourModes()
	name, author := inventedName(random, "Skyline", i), inventedAuthor(random.IntN(plannedAuthors))
	mode, tags := modes[random.IntN(len(modes))].String(), []string{fmt.Sprintf("tag%d", i%7), fmt.Sprintf("tag%d", i%300)}
	hash := fmt.Sprintf("%064d", i)
	when := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute)
	return []any{
		uuid.Must(uuid.NewV7()), 1, 1000 + i, name, mode, author, author, strings.Repeat("Mind the gap. ", 10), tags,
		[]string{}, hash, "maps/" + hash + ".webp", "maps/" + hash + "-480.webp", "replays/" + hash + ".lbReplay", when, when,
		search.Key(name),
	}
}

// inventedName begins with a common word or is made of letters as names have them.
func inventedName(random *rand.Rand, common string, i int) string {
	if i%20 == 0 {
		return fmt.Sprintf("%s%d", common, i)
	}
	if i%100 == 1 {
		return fmt.Sprintf("极限跑酷%d", i)
	}
	letters := make([]byte, 4+random.IntN(12))
	for j := range letters {
		letters[j] = "aaabcdeeefghiiijklmnooopqrstuuvwxyz "[random.IntN(36)]
	}
	return fmt.Sprintf("%s%d", letters, i)
}
