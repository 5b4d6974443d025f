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
	"capzone.dev/services/moderation/internal/postgres"
	"capzone.dev/services/moderation/migrations"
)

func TestMigration_00001(t *testing.T) {
	t.Parallel()
	f := open(t)
	text, err := fs.ReadFile(migrations.FS, "00001_moderation.sql")
	if err != nil {
		t.Fatal(err)
	}
	up, down, _ := strings.Cut(string(text), "-- +goose Down")
	parts := func() []string {
		return f.texts(`
			select table_name || '.' || column_name || ' ' || data_type as text
			from information_schema.columns where table_schema = 'public'
			union all select indexdef from pg_indexes where schemaname = 'public'
			order by 1`)
	}
	var laterUp []string
	before := parts()
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Backward(names[1:]) {
		later, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		up, down, _ := strings.Cut(string(later), "-- +goose Down")
		laterUp = append(laterUp, up)
		pgtest.Exec(t, f.pool, down)
	}
	pgtest.Exec(t, f.pool, down)
	for _, p := range parts() {
		for _, table := range []string{"cases", "reports", "flags", "decisions", "appeals", "audit_log", "players", "maps"} {
			if strings.HasPrefix(p, table+".") || strings.Contains(p, "public."+table+" ") {
				t.Errorf("%s is left", p)
			}
		}
	}
	pgtest.Exec(t, f.pool, up)
	for _, up := range slices.Backward(laterUp) {
		pgtest.Exec(t, f.pool, up)
	}
	if diff := cmp.Diff(before, parts()); diff != "" {
		t.Errorf("after down and up (-before +after):\n%s", diff)
	}
}

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	listed := slices.Collect(maps.Keys(postgres.PlayerColumns))
	pgtest.WantPlayerColumns(t, open(t).pool, listed, "map_id", "record_id", "case_id", "decision_id", "undoes",
		"appeal_id", "granted_by", "banned_by")
}

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, postgres.PlayerColumns, postgres.Exports, postgres.NotExported)
}
