package pgtest

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
)

// Open returns a pool, opened as services open theirs, on a database with the platform's and a service's tables
// (see Database). A template may also be filled with rows, once.
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
	require.NoError(tb, err)
	tb.Cleanup(pool.Close)
	return pool
}

// patient lets statements take their time, as those do that fill large tables on a busy machine.
func patient(url string) string {
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	return url + separator + "statement_timeout=0"
}

// Vacuum vacuums and analyzes tables until all their pages are visible, because PostgreSQL plans index-only scans for
// visible pages. One vacuum leaves out rows that are newer than the snapshot of any other connection.
func Vacuum(ctx context.Context, pool *postgres.Pool, tables ...string) error {
	const visibleSQL = `
		select bool_and(relallvisible >= relpages) from pg_class where oid = any($1::text[]::regclass[])`
	var err error
	visible := eventually.Poll(func() (visible bool) {
		if _, err = pool.Exec(ctx, "vacuum analyze "+strings.Join(tables, ", ")); err != nil {
			return true
		}
		err = pool.QueryRow(ctx, visibleSQL, tables).Scan(&visible)
		return visible || err != nil
	})
	if err == nil && !visible {
		err = errors.New("the pages of the tables do not become visible")
	}
	return err
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

// Waiting returns how many sessions of the database wait for a lock.
func Waiting(tb testing.TB, pool *postgres.Pool) int {
	tb.Helper()
	return Value[int](tb, pool, `
		select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
}

// PendingUpload inserts the row of an upload whose file is not stored.
func PendingUpload(tb testing.TB, pool *postgres.Pool, key string) storedfile.Upload {
	tb.Helper()
	upload := storedfile.Upload{ID: uuid.Must(uuid.NewV7()), Key: key}
	Exec(tb, pool, "insert into pending_uploads (id, key) values ($1, $2)", upload.ID, key)
	return upload
}

// Plan returns the plan of a statement for its values.
func Plan(tb testing.TB, pool *postgres.Pool, sql string, args ...any) string {
	tb.Helper()
	rows, err := pool.Query(tb.Context(), "explain (costs off) "+sql,
		append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	return lines(tb, sql, rows, err)
}

// GenericPlan returns the plan of a statement, with named or numbered
// parameters, for values that are not known: the one that serves all values.
func GenericPlan(tb testing.TB, pool *postgres.Pool, sql string) string {
	tb.Helper()
	numbered, _, err := pgx.NamedArgs{}.RewriteQuery(tb.Context(), nil, sql, nil)
	require.NoError(tb, err)
	conn, err := pgx.ConnectConfig(tb.Context(), pool.Config().ConnConfig)
	require.NoError(tb, err)
	defer func() { _ = conn.Close(tb.Context()) }()
	_, err = conn.Exec(tb.Context(), "set plan_cache_mode = force_generic_plan")
	require.NoError(tb, err)
	planned, err := conn.Prepare(tb.Context(), "planned", numbered)
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	execute := "execute planned"
	if nulls := slices.Repeat([]string{"null"}, len(planned.ParamOIDs)); len(nulls) > 0 {
		execute += "(" + strings.Join(nulls, ", ") + ")"
	}
	rows, err := conn.Query(tb.Context(), "explain (costs off) "+execute, pgx.QueryExecModeSimpleProtocol)
	return lines(tb, sql, rows, err)
}

// lines puts together what explain answered.
func lines(tb testing.TB, sql string, rows pgx.Rows, err error) string {
	tb.Helper()
	var found []string
	if err == nil {
		found, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	return strings.Join(found, "\n")
}
