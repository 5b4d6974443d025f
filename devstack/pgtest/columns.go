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

// columnsSQL finds the columns of a service's own tables.
const columnsSQL = `
	select c.table_name as table, c.column_name as column, c.udt_name in ('uuid', '_uuid') as ids
	from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
	where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
		and c.table_name not in ('goose_db_version', 'goose_platform_version', 'outbox', 'inbox', 'pending_uploads', 'audit')
	order by 1, 2`

type column struct {
	Table, Column string
	IDs           bool // it holds ids
}

// WantPlayerColumns fails the test unless the keys of listed, as table.column, are the columns in which the database
// holds ids of players. Every column of ids counts whose name is not among others (such as "map_id"), so that a new
// table cannot be forgotten when players are merged. A table's own id counts only for the copies of players. The audit
// log names players in text; it keeps the names that it was given.
func WantPlayerColumns(tb testing.TB, pool *postgres.Pool, listed map[string]string, others ...string) {
	tb.Helper()
	var found []string
	for _, c := range Rows[column](tb, pool, columnsSQL) {
		if c.IDs && (c.Column != "id" || c.Table == "players") && !slices.Contains(others, c.Column) {
			found = append(found, c.Table+"."+c.Column)
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(listed)), slices.Sorted(slices.Values(found))); diff != "" {
		tb.Errorf("columns with ids of players (-listed +in the database):\n%s", diff)
	}
}

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
	for _, c := range Rows[column](tb, pool, columnsSQL) {
		if !whole[c.Table] {
			found = append(found, c.Table+"."+c.Column)
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(found))); diff != "" {
		tb.Errorf("what a deletion does with columns (-listed +in the database):\n%s", diff)
	}
}
