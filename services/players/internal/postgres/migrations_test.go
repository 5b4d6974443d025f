package postgres_test

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/playername"
	"capzone.dev/services/players/internal/playertest"
	"capzone.dev/services/players/internal/postgres"
	"capzone.dev/services/players/migrations"
)

// Keys of an earlier release had one blank for several.
func TestMigration_00003(t *testing.T) {
	t.Parallel()
	pool := playertest.Open(t).Pool
	names := []string{"Cloud  Step", " a   b  c ", "ΟΔΟΣ  ß", "one blank", "none"}
	old := func(name string) string { return strings.Join(strings.Fields(playername.Key(name)), " ") }
	for i, name := range names {
		pgtest.Exec(t, pool, `
			insert into players (id, version, name, name_key, level, roles, registered, created_at, updated_at, search_key)
			select gen_random_uuid(), 1, $1, $2, $3, '{}', true, now(), now(), $2`, name, old(name), i)
	}
	pgtest.Exec(t, pool, `update players set former_names = '{"Old  Name", "Other"}' where name = 'none'`)
	pgtest.Exec(t, pool, `
		insert into former_names
		select unnest('{old name, other}'::text[]), id from players where name = 'none'`)

	text, err := fs.ReadFile(migrations.FS, "00003_blanks_in_names.sql")
	if err != nil {
		t.Fatal(err)
	}
	up, down, _ := strings.Cut(string(text), "-- +goose Down")
	want := []string{"old  name", "other"}
	for _, name := range names {
		want = append(want, playername.Key(name))
	}
	all := func() []string {
		type row struct{ Key string }
		var keys []string
		for _, r := range pgtest.Rows[row](t, pool, `
			select key from (
				select name_key as key, 0 as part, 0 as place from former_names
				union all select name_key, 1, level from players) k
			order by part, place, key`) {
			keys = append(keys, r.Key)
		}
		return keys
	}
	for range 2 { // again changes nothing
		pgtest.Exec(t, pool, up)
		if diff := cmp.Diff(want, all()); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
	}
	pgtest.Exec(t, pool, down)
	for i, key := range all() {
		if key != strings.Join(strings.Fields(want[i]), " ") {
			t.Errorf("%q goes back to %q", want[i], key)
		}
	}
}

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	listed := slices.Collect(maps.Keys(postgres.PlayerColumns))
	pgtest.WantPlayerColumns(t, playertest.Open(t).Pool, listed, "map_id")
}

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, postgres.PlayerColumns, postgres.Exports, postgres.NotExported)
}
