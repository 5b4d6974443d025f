package pgtest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/postgres"
)

// Deletion says what the deletion of a player's account does with each column of a database: the keys have the form
// "table: column column", or "table: *" for all columns of a table, and the values begin with "deleted", "emptied",
// "renamed" or "kept", the last with the reason. docs/privacy.md says the same to players.
type Deletion map[string]string

// copiedPlayers are the columns of the copies of players (platform/copies).
const copiedPlayers = "players: id version removed merged_into name former_names level skin_image_url skin_color roles " +
	"registered banned ban_until ban_public_reason ban_decision_id deleted created_at"

// With returns the deletion with that of the copies of players, which the player's last state replaces.
func (d Deletion) With(others ...string) Deletion {
	d = maps.Clone(d)
	d[copiedPlayers+" "+strings.Join(others, " ")] = "renamed by the state of the deleted player"
	return d
}

const columnsSQL = `
	select c.table_name as table, c.column_name as column
	from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
	where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
		and c.table_name not in ('goose_db_version', 'goose_platform_version', 'outbox', 'inbox', 'pending_uploads', 'audit')
	order by 1, 2`

// Want fails the test unless the deletion names each column of the database once, so that a new one with something
// of a player cannot be forgotten. Only a table that is deleted or has no player, by the columns in the form
// table.column, may be named as a whole.
func (d Deletion) Want(tb testing.TB, pool *postgres.Pool, playerColumns map[string]string) {
	tb.Helper()
	withPlayer := map[string]bool{}
	for column := range playerColumns {
		table, _, _ := strings.Cut(column, ".")
		withPlayer[table] = true
	}
	whole := map[string]bool{}
	var listed, found []string
	for key, effect := range d {
		verb, reason, _ := strings.Cut(effect, " ")
		if !slices.Contains([]string{"deleted", "emptied", "renamed", "kept"}, strings.TrimSuffix(verb, ":")) ||
			verb == "kept:" && reason == "" {
			tb.Errorf("%s: %q is none of deleted, emptied, renamed, and kept: with a reason", key, effect)
		}
		table, columns, _ := strings.Cut(key, ": ")
		if columns == "*" {
			whole[table] = true
			if verb != "deleted" && withPlayer[table] {
				tb.Errorf("%s has a player's id and is %s, so that its columns are named one by one", table, effect)
			}
			continue
		}
		for column := range strings.FieldsSeq(columns) {
			listed = append(listed, table+"."+column)
		}
	}
	type row struct{ Table, Column string }
	for _, r := range Rows[row](tb, pool, columnsSQL) {
		if !whole[r.Table] {
			found = append(found, r.Table+"."+r.Column)
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(found))); diff != "" {
		tb.Errorf("what a deletion does with columns (-listed +in the database):\n%s", diff)
	}
}
