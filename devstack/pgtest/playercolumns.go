package pgtest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/postgres"
)

// playerColumnsSQL finds the columns of ids, except for a table's own id; the id of a copy of a player is the player's.
const playerColumnsSQL = `
	select c.table_name || '.' || c.column_name as name, c.column_name as column
	from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
	where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.udt_name in ('uuid', '_uuid')
		and (c.column_name <> 'id' or c.table_name = 'players')
	order by 1`

// WantPlayerColumns fails the test unless listed, as table.column, are the columns in which the database holds ids of
// players. Every column of ids counts whose name is not among others (such as "map_id"), so that a new table cannot
// be forgotten when players are merged. The audit log names players in text; it keeps the names that it was given.
func WantPlayerColumns(tb testing.TB, pool *postgres.Pool, listed []string, others ...string) {
	tb.Helper()
	type row struct{ Name, Column string }
	var found []string
	for _, r := range Rows[row](tb, pool, playerColumnsSQL) {
		if !slices.Contains(others, r.Column) {
			found = append(found, r.Name)
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(found))); diff != "" {
		tb.Errorf("columns with ids of players (-listed +in the database):\n%s", diff)
	}
}
