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
					statement{"everybody " + name, everybody(q).sql, "Index Only Scan.* using " + index},
					statement{"a term that many have " + name, walk(q, "").sql, "Index Only Scan.* using " + index},
					statement{"a term that few have " + name, gather(q, "").sql, "players_by_grams"})
			}
		}
	}
	for _, s := range statements {
		plan := pgtest.GenericPlan(t, pool, s.sql)
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

// The total of a gram is looked up also where so few are known that reading them all
// would not take much longer, which it does for each page.
func TestTotalsOfFewGramsAreLookedUpByAnIndex(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "few grams", migrations.FS, func(ctx context.Context, pool *postgres.Pool) error {
		if _, err := pool.Exec(ctx, `insert into search_totals select i::text, i from generate_series(1, 2500) i`); err != nil {
			return err
		}
		_, err := pool.Exec(ctx, `vacuum analyze search_totals`)
		return err
	})
	plan := pgtest.GenericPlan(t, pool, atMostSQL)
	if strings.Contains(plan, "Seq Scan") || !strings.Contains(plan, "search_totals_pkey") {
		t.Errorf("the totals are not looked up:\n%s", plan)
	}
}

// Both ways to a page find the same, whatever the term and the sort.
func TestWaysOfSearchingAgree(t *testing.T) {
	t.Parallel()
	players := NewPlayers(manyPlayers(t))
	for _, term := range []string{"a", "qz", "run", "runner1", "99", "_"} {
		for sort := range sortColumns {
			for _, offset := range []int{0, 24} {
				q := player.Query{Name: term, Sort: sort, Descending: offset > 0, Limit: 12, Offset: offset}
				walked, err := players.page(t.Context(), q, walk(q, term))
				if err != nil {
					t.Fatal(err)
				}
				gathered, err := players.page(t.Context(), q, gather(q, term))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(gathered, walked); diff != "" {
					t.Errorf("%+v (-gathered +walked):\n%s", q, diff)
				}
			}
		}
		total, err := players.total(t.Context(), term)
		if err != nil {
			t.Fatal(err)
		}
		var counted int64
		const slowly = `select count(*) from players where registered and strpos(search_key, $1) > 0`
		if err := players.pool.QueryRow(t.Context(), slowly, term).Scan(&counted); err != nil || total != counted {
			t.Errorf("the total of %q is %d, but %d have it (%v)", term, total, counted, err)
		}
	}
}

// What was seen of a term chooses the way and saves a round trip, and nothing else:
// page and total are always what they are now.
func TestASearchIsRightWhateverWasSeenOfItsTerm(t *testing.T) {
	t.Parallel()
	fresh := NewPlayers(manyPlayers(t))
	for _, term := range []string{"", "a", "qz", "run", "zzz"} {
		for _, offset := range []int{0, 24, 100_000} {
			q := player.Query{Name: term, Sort: player.ByName, Limit: 12, Offset: offset}
			want, wantTotal, err := fresh.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, seen := range []int64{0, 1, gatherUpTo, gatherUpTo + 1, 1_000_000} {
				players := NewPlayers(fresh.pool)
				players.seen.Put(term, seen, time.Now())
				got, total, err := players.Search(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || total != wantTotal {
					t.Errorf("%+v, where %d were seen: the total is %d, want %d (-want +got):\n%s", q, seen, total, wantTotal, diff)
				}
				if now, _ := players.seen.Last(term); now != wantTotal {
					t.Errorf("%+v: seen are %d now, want %d", q, now, wantTotal)
				}
			}
		}
	}
}

// A count that was long is told again, but not after a change.
func TestACountThatIsToldAgainIsRight(t *testing.T) {
	t.Parallel()
	players := NewPlayers(manyPlayers(t))
	registrar := player.Registrar{Finder: players, Editor: players}
	q := player.Query{Name: "runner", Sort: player.ByName, Limit: 12}
	_, first, err := players.Search(t.Context(), q)
	if err != nil || first <= gatherUpTo {
		t.Fatalf("%d players, %v", first, err)
	}
	for more := range int64(3) {
		if _, err := registrar.Register(t.Context(), player.Login{Name: fmt.Sprintf("a runner number %d", more)}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, total, err := players.Search(t.Context(), q); err != nil || total != first+more+1 {
				t.Errorf("after %d more there are %d players, %v", more+1, total, err)
			}
		}
	}
}

// BenchmarkSearch is one search of 20,000 players after the other, for terms
// that nobody, few, some and most have in their name.
func BenchmarkSearch(b *testing.B) {
	players := NewPlayers(manyPlayers(b))
	for _, term := range []string{"", "r", "qx", "xyz", "run", "runner", "runner123", "zzzzzz"} {
		b.Run("term "+term, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := players.Search(b.Context(), player.Query{Name: term, Sort: player.ByName, Limit: 12}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// manyPlayers returns a database with players like those of a site in its
// third year: names of all lengths, of which many begin with the same word.
func manyPlayers(tb testing.TB) *postgres.Pool {
	tb.Helper()
	return pgtest.Open(tb, "many players", migrations.FS, inventPlayers)
}

func inventPlayers(ctx context.Context, pool *postgres.Pool) error {
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
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"players"}, names, rows); err != nil {
		return err
	}
	if err := NewPlayers(pool).Reindex(ctx); err != nil {
		return err
	}
	for _, sql := range []string{
		`update players set roles = '{admin}' where id in (select id from players limit 3)`,
		`update players set avatar_key = 'skins/' || name_key where level = 7`,
		`insert into player_totals (player_id, maps, records) select id, level % 3, level from players`,
		`vacuum analyze players, player_totals, search_totals`,
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
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
