package pgtest

import (
	"fmt"
	"testing"

	"capzone.dev/platform/postgres"
)

// Rounds of WantBounded: what was let go in the first ones makes room for the others.
const (
	firstRounds = 4
	allRounds   = 12
)

// WantBounded lives through round after round, in each of which rows come, grow older
// and are let go, and fails where the tables have more rows or take much more room
// after the last of them than after the first few. What the server itself does now
// and then, to make dead rows' room free, is done after each.
func WantBounded(tb testing.TB, pool *postgres.Pool, round func(), tables ...string) {
	tb.Helper()
	first := make(map[string]extent, len(tables))
	for i := range allRounds {
		round()
		for _, table := range tables {
			Exec(tb, pool, "vacuum "+quote(table))
			now := measure(tb, pool, table)
			switch {
			case now.rows == 0:
				tb.Fatalf("%s is empty after round %d, which shows nothing", table, i+1)
			case i < firstRounds:
				first[table] = now
			case now.rows > first[table].rows || now.bytes > 2*first[table].bytes:
				tb.Errorf("%s has %s after round %d, and had %s after round %d", table, now, i+1, first[table], firstRounds)
			}
		}
	}
	for _, table := range tables {
		tb.Logf("%s: %s after %d rounds, %s after %d", table, first[table], firstRounds, measure(tb, pool, table), allRounds)
	}
}

// extent is how large a table is, with its indexes.
type extent struct{ rows, bytes int64 }

func (e extent) String() string { return fmt.Sprintf("%d rows in %d KiB", e.rows, e.bytes>>10) }

func measure(tb testing.TB, pool *postgres.Pool, table string) extent {
	tb.Helper()
	return extent{
		rows:  Value[int64](tb, pool, "select count(*) from "+quote(table)),
		bytes: Value[int64](tb, pool, "select pg_total_relation_size($1::regclass)", table),
	}
}
