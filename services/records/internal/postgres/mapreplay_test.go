package postgres_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/game/replaycheck"
	"capzone.dev/services/records/internal/record"
)

// The list of a record that turns out to be its map's first one says so. Others keep theirs.
func TestStore_MarkFirst(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	list := func(result replaycheck.Result) replaycheck.List {
		return replaycheck.List{{Name: record.FirstRecordOfAuthorOrValidator, Result: result}}
	}
	first, other := w.record(m, a, 900), w.record(m, a, 933)
	for _, r := range []record.Record{first, other} {
		_, err := w.Submit(t.Context(), record.Accepted{
			Record: r, Checks: list(replaycheck.NotApplicable), Replay: w.upload(),
		})
		w.must(err)
	}
	for range 2 {
		w.must(w.MarkFirst(t.Context(), m.ID, first.ReplayHash))
	}
	w.must(w.MarkFirst(t.Context(), m.ID, "unknown"))
	w.must(w.MarkFirst(t.Context(), newID(), other.ReplayHash))
	for id, want := range map[string]replaycheck.List{
		first.ID: list(replaycheck.Passed), other.ID: list(replaycheck.NotApplicable),
	} {
		got, err := w.Evidence(t.Context(), id, false)
		w.must(err)
		assert.Equal(t, "checks", want, got.Checks)
	}
}
