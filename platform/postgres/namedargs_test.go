package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

func TestNamedArgs_RewriteQuery(t *testing.T) {
	t.Parallel()
	const sql = `select @b, @a, '@c', @b -- @d`
	for _, args := range []map[string]any{
		{"a": 1}, // an argument is missing, which must not be remembered
		{"a": 1, "b": "x", "unused": true},
		{"b": "y", "a": nil},
	} {
		wantSQL, want, err := pgx.NamedArgs(args).RewriteQuery(t.Context(), nil, sql, nil)
		if err != nil {
			t.Fatal(err)
		}
		gotSQL, got, err := postgres.NamedArgs(args).RewriteQuery(t.Context(), nil, sql, nil)
		if err != nil {
			t.Fatal(err)
		}
		if gotSQL != wantSQL {
			t.Errorf("%v: %q, want %q", args, gotSQL, wantSQL)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", args, diff)
		}
	}
}
