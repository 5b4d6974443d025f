package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
	players "capzone.dev/services/players/internal/postgres"
)

type gramTotal struct {
	Gram    string
	Players int64
}

// totals returns the search totals as they are stored.
func totals(t *testing.T, pool *postgres.Pool) []gramTotal {
	t.Helper()
	return pgtest.Rows[gramTotal](t, pool, `select gram, players from search_totals order by gram`)
}

func TestTotalsCountRegisteredPlayersOnceForEachGram(t *testing.T) {
	t.Parallel()
	pool := openPool(t)
	players := players.NewPlayers(pool)
	registrar := player.Registrar{Finder: players, Editor: players}
	ensurer := player.Ensurer{Finder: players, Editor: players}
	for _, name := range []string{"aba", "Ax", "ABA"} {
		if _, err := registrar.Register(t.Context(), player.Login{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ensurer.Ensure(t.Context(), "placeholder"); err != nil {
		t.Fatal(err)
	}
	want := []gramTotal{{"", 2}, {"a", 2}, {"ab", 1}, {"aba", 1}, {"ax", 1}, {"b", 1}, {"ba", 1}, {"x", 1}}
	if diff := cmp.Diff(want, totals(t, pool)); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}

	t.Run("and are made again from the names", func(t *testing.T) {
		pgtest.Exec(t, pool, `update players set search_key = 'old', grams = '{o}' where name_key = 'aba'`)
		pgtest.Exec(t, pool, `update search_totals set players = 7 where gram = 'a'`)
		pgtest.Exec(t, pool, `insert into search_totals values ('zz', 1)`)
		if err := players.Reindex(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, totals(t, pool)); diff != "" {
			t.Errorf("totals (-want +got):\n%s", diff)
		}
		page, total, err := players.Search(t.Context(), player.Query{Name: "ab", Sort: player.ByName, Limit: 5})
		if err != nil || total != 1 || len(page) != 1 || page[0].Name != "ABA" {
			t.Errorf("search finds %v, %d, %v", page, total, err)
		}
	})
}
