package pgtest

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

// Open returns a pool, opened as services open theirs, on a database with the
// platform's and a service's tables (see Database). A template may also be
// filled with rows, once.
func Open(tb testing.TB, template string, migrations fs.FS,
	fill ...func(ctx context.Context, pool *postgres.Pool) error) *postgres.Pool {
	tb.Helper()
	url := Database(tb, template, func(ctx context.Context, url string) error {
		if err := postgres.Migrate(ctx, url, migrations); err != nil {
			return err
		}
		pool, err := postgres.Open(ctx, patient(url))
		if err != nil {
			return err
		}
		defer pool.Close()
		for _, f := range fill {
			if err := f(ctx, pool); err != nil {
				return err
			}
		}
		return nil
	})
	pool, err := postgres.Open(tb.Context(), url)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(pool.Close)
	return pool
}

// patient lets statements take their time, as those do that fill large tables on a
// busy machine.
func patient(url string) string {
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	return url + separator + "statement_timeout=0"
}

// OpenPlatform is Open with the platform's tables alone.
func OpenPlatform(tb testing.TB) *postgres.Pool {
	tb.Helper()
	return Open(tb, "platform", fstest.MapFS{"00001_none.sql": {Data: []byte("-- +goose Up\nselect 1;\n")}})
}

// Rows runs a query and returns its rows, whose columns are T's fields by name.
func Rows[T any](tb testing.TB, pool *postgres.Pool, sql string, args ...any) []T {
	tb.Helper()
	rows, err := pool.Query(tb.Context(), sql, args...)
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	return list
}

// Value returns the one value that a query finds.
func Value[T any](tb testing.TB, pool *postgres.Pool, sql string, args ...any) (v T) {
	tb.Helper()
	if err := pool.QueryRow(tb.Context(), sql, args...).Scan(&v); err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	return v
}

// Exec runs a statement.
func Exec(tb testing.TB, pool *postgres.Pool, sql string, args ...any) {
	tb.Helper()
	if _, err := pool.Exec(tb.Context(), sql, args...); err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
}
