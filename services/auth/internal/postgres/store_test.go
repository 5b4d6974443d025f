package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/sessiontest"
	"capzone.dev/services/auth/migrations"
)

func TestStore(t *testing.T) {
	t.Parallel()
	sessiontest.Contract(t, func(t *testing.T) sessiontest.Store {
		t.Helper()
		return postgres.NewStore(pgtest.Open(t, "auth", migrations.FS))
	})
}

func TestTheTokenItselfIsNotKept(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "auth", migrations.FS)
	columns := pgtest.Value[string](t, pool, `
		select string_agg(column_name || ' ' || data_type, ', ' order by ordinal_position)
		from information_schema.columns where table_name = 'refresh_tokens'`)
	const want = "hash bytea, family_id uuid, generation bigint, created_at timestamp with time zone, expires_at timestamp with time zone"
	if columns != want {
		t.Errorf("columns %s, want %s", columns, want)
	}
}
