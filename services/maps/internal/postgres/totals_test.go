package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
)

// checkTotals compares the kept totals with a count of what they total.
func checkTotals(t *testing.T, pool *postgres.Pool) {
	t.Helper()
	type total struct {
		Facet string
		Maps  int64
	}
	want := pgtest.Rows[total](t, pool, "select facet, count(*) as maps from maps cross join unnest(facets) as facet group by facet order by facet")
	got := pgtest.Rows[total](t, pool, "select facet, maps from search_totals where maps <> 0 order by facet")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("totals (-counted +kept):\n%s", diff)
	}
}
