package stack

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
)

func TestStack_checkDataVersion(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t, "empty", func(context.Context, string) error { return nil })
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	kind := Kind{Name: strings.TrimPrefix(parsed.Path, "/"), Package: "./services/club/cmd/club", Service: true}
	execute(t, address, `CREATE DATABASE `+databaseName(kind.Name))
	t.Cleanup(func() { execute(t, address, `DROP DATABASE `+databaseName(kind.Name)+` WITH (FORCE)`) })
	own := databaseURL(address, databaseName(kind.Name))

	s := Stack{root: t.TempDir(), kinds: []Kind{{Name: "gateway"}, kind}, servers: Addresses{Database: address}}
	migrations := filepath.Join(s.root, "services", "club", "migrations")
	require.NoError(t, os.MkdirAll(migrations, 0o700))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(migrations, name), []byte(text), 0o600))
	}
	const schemaFile, schema = "00001_schema.sql", "create table clubs (id int)"
	write(schemaFile, schema)
	steps := []struct {
		name   string
		change func()
		reset  bool // is asked for
	}{
		{"before the first migration", func() {}, false},
		{"before the first migration, after a change of it", func() { write(schemaFile, "create table clubs ()") }, false},
		{"after all migrations", func() {
			write(schemaFile, schema)
			require.NoError(t, s.checkDataVersion(t.Context()))
			execute(t, own, `CREATE TABLE goose_db_version (version_id bigint); INSERT INTO goose_db_version VALUES (0), (1)`)
		}, false},
		{"with another comment", func() { write(schemaFile, schema+"  -- of players") }, false},
		{"with another schema of the same number", func() { write(schemaFile, schema+"; select 1") }, true},
		{"with the schema of before, and a further migration",
			func() { write(schemaFile, schema); write("00002_badges.sql", "select 2") }, false},
		{"after it has run", func() { execute(t, own, `INSERT INTO goose_db_version VALUES (2)`) }, false},
		{"with another further migration", func() { write("00002_badges.sql", "select 3") }, true},
		{"after a migration of another version", func() { execute(t, own, `INSERT INTO goose_db_version VALUES (3)`) }, true},
	}
	for _, step := range steps {
		step.change()
		err := s.checkDataVersion(t.Context())
		if asked := err != nil && strings.Contains(err.Error(), `"make reset"`); asked != step.reset || err != nil && !asked {
			t.Errorf("%s: %v, want a reset: %v", step.name, err, step.reset)
		}
	}
}
