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
	for _, name := range []string{"00001_schema.sql", "00002_badges.sql"} {
		require.NoError(t, os.WriteFile(filepath.Join(migrations, name), nil, 0o600))
	}
	if err := s.checkDataVersion(t.Context()); err != nil {
		t.Errorf("before the first migration: %v", err)
	}
	execute(t, own, `CREATE TABLE goose_db_version (version_id bigint); INSERT INTO goose_db_version VALUES (0), (1), (2)`)
	if err := s.checkDataVersion(t.Context()); err != nil {
		t.Errorf("after all migrations: %v", err)
	}
	execute(t, own, `INSERT INTO goose_db_version VALUES (3)`)
	if err := s.checkDataVersion(t.Context()); err == nil || !strings.Contains(err.Error(), `"make reset"`) {
		t.Errorf("after a migration of another version: %v", err)
	}
}
