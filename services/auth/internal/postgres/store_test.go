package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/platform/pgtest"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/sessiontest"
	"capzone.dev/services/auth/migrations"
)

// openPool returns a migrated database of the test's own.
func openPool(t *testing.T) *pgxpool.Pool {
	t.Helper()
	url := pgtest.Database(t, "auth", func(ctx context.Context, url string) error {
		return platform.Migrate(ctx, url, migrations.FS)
	})
	pool, err := platform.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func TestStore(t *testing.T) {
	t.Parallel()
	sessiontest.Contract(t, func(t *testing.T) sessiontest.Store {
		t.Helper()
		return postgres.NewStore(openPool(t))
	})
}

func TestTheTokenItselfIsNotKept(t *testing.T) {
	t.Parallel()
	pool := openPool(t)
	var columns string
	err := pool.QueryRow(t.Context(), `
		select string_agg(column_name || ' ' || data_type, ', ' order by ordinal_position)
		from information_schema.columns where table_name = 'refresh_tokens'`).Scan(&columns)
	if err != nil {
		t.Fatal(err)
	}
	const want = "hash bytea, family_id uuid, generation bigint, created_at timestamp with time zone, expires_at timestamp with time zone"
	if columns != want {
		t.Errorf("columns %s, want %s", columns, want)
	}
}
