package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A log as PostgreSQL writes it: with the statements of one search, and others'.
const exampleLog = `2026-01-01 UTC [12] LOG:  parameter "log_statement" changed to "all"
` + entryStart + `LOG:  execute stmtcache_1: 
	select coalesce(min(t.maps), 0)
	from unnest($1::text[]) as wanted (facet)
` + entryStart + `DETAIL:  Parameters: $1 = '{name:sky,"name:o''r"}'
` + entryStart + `LOG:  execute stmtcache_2: select id from outbox limit $1
` + entryStart + `DETAIL:  Parameters: $1 = '500'
` + entryStart + `LOG:  statement:  select 1 from maps where strpos(m.search_key,  'sky' ) > 0 limit 12
` + entryStart + `LOG:  execute <unnamed>: select m.id from maps m where strpos(m.search_key, $2) > 0 and $1
` + entryStart + `DETAIL:  Parameters: $1 = NULL, $2 = 'sky'
`

func TestTheStatementsOfASearchAreFoundInTheLog(t *testing.T) {
	t.Parallel()
	want := []string{
		"select coalesce(min(t.maps), 0)\nfrom unnest((E'{name\\x3asky,\"name\\x3ao''r\"}')::text[]) as wanted (facet)",
		"select 1 from maps where strpos(m.search_key,  'sky' ) > 0 limit 12",
		"select m.id from maps m where strpos(m.search_key, ('sky')) > 0 and (NULL)",
	}
	if diff := cmp.Diff(want, statements(exampleLog, "sky")); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	if found := statements(exampleLog, "garden"); len(found) > 0 {
		t.Errorf("another term's: %q", found)
	}
}

func TestTheDocumentSaysWhichTargetsAreMissed(t *testing.T) {
	t.Parallel()
	var r report
	r.atMost("memory of records, at most", "90 MiB", "", 90, 100, "MiB")
	r.atMost("memory of maps, at most", "110 MiB", "", 110, 100, "MiB")
	r.note("Where the time goes", "Into tests.\n")
	text := r.document("| a machine |\n", wholeRounds)
	for _, want := range []string{
		"| memory of records, at most | 90 MiB |  | 90 MiB | ≤ 100 MiB | yes |",
		"| memory of maps, at most | 110 MiB |  | 110 MiB | ≤ 100 MiB | **no** |",
		"## Where the time goes\n\nInto tests.", "| a machine |", "medians of 5 rounds of 2s",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
