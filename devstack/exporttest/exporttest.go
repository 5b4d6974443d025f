// Package exporttest checks the parts of the export of a player's data.
package exporttest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/export"
	"capzone.dev/platform/postgres"
)

// WantTables fails the test unless each table with a player's id, by the columns in the form table.column, is either
// exported by one of the parts, or in others with the reason why it is not.
func WantTables(tb testing.TB, playerColumns map[string]string, parts []export.Part, others map[string]string) {
	tb.Helper()
	with := map[string]bool{}
	for column := range playerColumns {
		table, _, _ := strings.Cut(column, ".")
		with[table] = true
	}
	exported := map[string]bool{}
	for _, part := range parts {
		if strings.Contains(part.SQL, "::text, ") {
			tb.Errorf("the key of the part %s needs a name of its own, or the things are ordered by its text", part.Kind)
		}
		for _, table := range part.Tables {
			exported[table] = true
			if !strings.Contains(part.SQL, table) {
				tb.Errorf("the part %s does not read the table %s", part.Kind, table)
			}
		}
	}
	for table := range with {
		if _, listed := others[table]; exported[table] == listed {
			tb.Errorf("the table %s has a player's id; exported: %v, listed with a reason: %v", table, exported[table], listed)
		}
	}
	for table, reason := range others {
		if !with[table] || reason == "" {
			tb.Errorf("the table %s is listed with the reason %q", table, reason)
		}
	}
}

// readsOthers matches a plan that reads the rows of all players and leaves out those of others.
var readsOthers = regexp.MustCompile(`Seq Scan|Filter: .*_id = \$`)

// WantPlans fails the test where a part does not use an index of the player's rows.
func WantPlans(tb testing.TB, pool *postgres.Pool, parts []export.Part) {
	tb.Helper()
	for _, part := range parts {
		if plan := pgtest.GenericPlan(tb, pool, part.SQL); readsOthers.MatchString(plan) {
			tb.Errorf("the part %s reads the rows of other players:\n%s", part.Kind, plan)
		}
	}
}

// Lines returns the things in a file by kind. The last line must say that the file is complete.
func Lines(tb testing.TB, file string) map[string][]string {
	tb.Helper()
	lines := slices.Collect(strings.SplitSeq(strings.TrimSuffix(file, "\n"), "\n"))
	var end export.End
	err := json.Unmarshal([]byte(lines[len(lines)-1]), &end)
	if err != nil || !end.Complete || end.Kind != export.EndKind {
		tb.Errorf("the last line is %s, %v", lines[len(lines)-1], err)
	}
	things := map[string][]string{}
	for _, text := range lines[:len(lines)-1] {
		var line export.Line
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			tb.Errorf("%v: %s", err, text)
		}
		things[line.Kind] = append(things[line.Kind], string(line.Data))
	}
	return things
}
