package postgres_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/game/replaycheck"
	"capzone.dev/services/records/internal/record"
)

// Records with the same checks share a list.
func TestStore_Evidence(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	submit := func(finishTime int, checks replaycheck.List) record.Record {
		r := w.record(m, a, finishTime)
		_, err := w.Submit(t.Context(), record.Accepted{Record: r, Checks: checks, Replay: w.upload()})
		w.must(err)
		return r
	}
	check := func(r record.Record, checks replaycheck.List) {
		t.Helper()
		got, err := w.Evidence(t.Context(), r.ID, false)
		w.must(err)
		assert.Equal(t, "record", r, got.Record)
		assert.Equal(t, "checks", checks, got.Checks)
	}
	dated := replaycheck.List{
		{Name: replaycheck.WholeFrames, Result: replaycheck.Passed},
		{Name: replaycheck.TimeStampPlausible, Result: replaycheck.Passed},
	}
	undated := replaycheck.List{
		{Name: replaycheck.WholeFrames, Result: replaycheck.Passed},
		{Name: replaycheck.TimeStampPlausible, Result: replaycheck.NotApplicable},
	}
	for i, checks := range []replaycheck.List{dated, dated, undated} {
		check(submit(1000-i*33, checks), checks)
	}
	if n := pgtest.Value[int](t, w.pool, `select count(*) from check_lists`); n != 2 {
		t.Errorf("%d lists are stored, want 2", n)
	}
}
