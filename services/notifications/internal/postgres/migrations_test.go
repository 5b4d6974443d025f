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
	"capzone.dev/services/notifications/internal/postgres"
	"capzone.dev/services/notifications/migrations"
)

func TestMigrations(t *testing.T) {
	t.Parallel()
	f := open(t)
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var ups, downs []string
	for _, name := range files {
		text, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		up, down, _ := strings.Cut(string(text), "-- +goose Down")
		ups, downs = append(ups, up), append([]string{down}, downs...)
	}
	type part struct{ Name string }
	parts := func() []part {
		return pgtest.Rows[part](t, f.pool, `
			select table_name || '.' || column_name || ' ' || data_type as name
			from information_schema.columns where table_schema = 'public'
			union all select indexdef from pg_indexes where schemaname = 'public'
			order by 1`)
	}
	before := parts()
	for _, down := range downs {
		pgtest.Exec(t, f.pool, down)
	}
	for _, p := range parts() {
		for _, table := range []string{
			"players", "maps", "player_follows", "map_follows", "inboxes", "notifications", "settings", "removals",
			"hidden_players",
		} {
			if strings.HasPrefix(p.Name, table+".") || strings.Contains(p.Name, "public."+table+" ") {
				t.Errorf("%s is left", p.Name)
			}
		}
	}
	for _, up := range ups {
		pgtest.Exec(t, f.pool, up)
	}
	if diff := cmp.Diff(before, parts()); diff != "" {
		t.Errorf("after down and up (-before +after):\n%s", diff)
	}
}

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	listed := slices.Collect(maps.Keys(postgres.PlayerColumns))
	pgtest.WantPlayerColumns(t, open(t).pool, listed, "map_id", "cause_id", "record_id", "decision_id", "webhook_id",
		"last_delivery_id", "lease_id")
}

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, postgres.PlayerColumns, postgres.Exports, postgres.NotExported)
}
