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

	"capzone.dev/platform/pgtest"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/searchkey"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/migrations"
)

// Every read of a large table goes by an index, with the plan that serves all
// values (see platform/postgres.Open), for terms of every length.
func TestReadsOfManyPlayersUseIndexes(t *testing.T) {
	t.Parallel()
	pool := manyPlayers(t)
	type statement struct {
		name, sql, index string
	}
	statements := []statement{
		{"find by id", findByIDSQL, "players_pkey"},
		{"find by name", byNameSQL, "players_name_key"},
		{"profile", profileSQL, "player_totals_pkey"},
		{"how many have a gram", atMostSQL, "search_totals_pkey"},
		{"count what a long term finds", countSQL, "players_by_grams"},
		{"is there an admin", hasAdminSQL, "players_admins"},
		{"is an avatar named", namesAvatarSQL, "players_by_avatar"},
		{"republish", republishSQL, "players_pkey"},
	}
	indexes := map[player.Sort]string{
		player.ByName: "players_by_name", player.ByLevel: "players_by_level",
		player.ByCreated: "players_by_created", player.ByUpdated: "players_by_updated",
	}
	for sort, index := range indexes {
		for _, descending := range []bool{false, true} {
			for _, offset := range []int{0, 12 * 100} {
				q := player.Query{Sort: sort, Descending: descending, Limit: 12, Offset: offset}
				name := fmt.Sprintf("by %s, descending %v, from %d", sort, descending, offset)
				statements = append(statements,
					statement{"everybody " + name, everybody(q), "Index Only Scan.* using " + index},
					statement{"a term that many have " + name, walk(q), "Index Only Scan.* using " + index},
					statement{"a term that few have " + name, gather(q), "players_by_grams"})
			}
		}
	}
	for _, s := range statements {
		plan := genericPlan(t, pool, s.sql)
		for _, table := range []string{"players", "player_totals", "search_totals"} {
			if strings.Contains(plan, "Seq Scan on "+table) {
				t.Errorf("%s reads all of %s:\n%s", s.name, table, plan)
			}
		}
		head, tail, _ := strings.Cut(s.index, ".*")
		if !strings.Contains(plan, head) || !strings.Contains(plan, tail) {
			t.Errorf("%s does not use %s:\n%s", s.name, s.index, plan)
		}
	}
}

// genericPlan returns the plan of a statement for values that are not known.
func genericPlan(t *testing.T, pool *pgxpool.Pool, sql string) string {
	t.Helper()
	rewritten, args, err := pgx.NamedArgs{}.RewriteQuery(t.Context(), nil, sql, nil)
	if err != nil {
		t.Fatal(err)
	}
	parameters := max(len(args), strings.Count(sql, "$"))
	nulls := strings.TrimSuffix(strings.Repeat("null,", parameters), ",")
	if parameters > 0 {
		nulls = "(" + nulls + ")"
	}
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), "prepare planned as "+rewritten); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer func() { _, _ = conn.Exec(t.Context(), "deallocate planned") }()
	rows, err := conn.Query(t.Context(), "explain (costs off) execute planned"+nulls, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return strings.Join(lines, "\n")
}

// manyPlayers returns a database with players like those of a site in its
// third year: names of all lengths, of which many begin with the same word.
func manyPlayers(t *testing.T) *pgxpool.Pool {
	t.Helper()
	url := pgtest.Database(t, "players", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	pool, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)

	const count = 20_000
	random := rand.New(rand.NewPCG(1, 2))
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	rows := pgx.CopyFromSlice(count, func(i int) ([]any, error) {
		name := inventedName(random, i)
		key := searchkey.Key(name)
		when := at.Add(time.Duration(i) * time.Minute)
		return []any{
			uuid.Must(uuid.NewV7()), int64(1), name, playername.Key(name), random.IntN(300), []string{},
			i%10 != 0, when, when, key, searchkey.Grams(key),
		}, nil
	})
	names := []string{"id", "version", "name", "name_key", "level", "roles", "registered", "created_at", "updated_at", "search_key", "grams"}
	if _, err := pool.CopyFrom(t.Context(), pgx.Identifier{"players"}, names, rows); err != nil {
		t.Fatal(err)
	}
	if err := NewPlayers(pool).Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		`update players set roles = '{admin}' where id in (select id from players limit 3)`,
		`update players set avatar_key = 'skins/' || name_key where level = 7`,
		`insert into player_totals (player_id, maps, records) select id, level % 3, level from players`,
		`vacuum analyze players, player_totals, search_totals`,
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return pool
}

func inventedName(random *rand.Rand, i int) string {
	if i%3 == 0 {
		return fmt.Sprintf("Runner%d", i)
	}
	letters := make([]byte, 4+random.IntN(9))
	for j := range letters {
		letters[j] = "aaabcdeeefghiiijklmnooopqrstuuvwxyz_"[random.IntN(36)]
	}
	return fmt.Sprintf("%s%d", letters, i)
}
