package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/auth/migrations"
)

func TestStore_stores_hashes_only(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "auth", migrations.FS)
	columns := pgtest.Value[string](t, pool, `
		select string_agg(column_name || ' ' || data_type, ', ' order by ordinal_position)
		from information_schema.columns where table_name = 'refresh_tokens'`)
	const want = "hash bytea, family_id uuid, expires_at timestamp with time zone, used_at timestamp with time zone"
	if columns != want {
		t.Errorf("columns %s, want %s", columns, want)
	}
}
