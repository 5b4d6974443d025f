package pgtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

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
	numbered, args, err := pgx.NamedArgs{}.RewriteQuery(tb.Context(), nil, sql, nil)
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	parameters := len(args)
	for strings.Contains(numbered, fmt.Sprintf("$%d", parameters+1)) {
		parameters++
	}
	execute := "execute planned"
	if parameters > 0 {
		execute += "(null" + strings.Repeat(", null", parameters-1) + ")"
	}
	conn, err := pool.Acquire(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Release()
	prepare := "set plan_cache_mode = force_generic_plan; prepare planned as " + numbered
	if _, err := conn.Exec(tb.Context(), prepare, pgx.QueryExecModeSimpleProtocol); err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	defer func() {
		_, _ = conn.Exec(tb.Context(), "deallocate planned; reset plan_cache_mode", pgx.QueryExecModeSimpleProtocol)
	}()
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
