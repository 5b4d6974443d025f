package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

// Records with the same checks share a list, and a list with other sentences leaves it as it is.
func TestStore_Verification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	checks := func(sentence string) record.Verification {
		return record.Verification{
			Checks:     []record.Check{{Name: record.WholeFrames, Result: record.Passed, Sentence: sentence}},
			NotChecked: []record.MissingCheck{{Name: "simulation", Sentence: "Not simulated."}},
		}
	}
	for i, sentence := range []string{"Of old.", "Of old.", "Of today."} {
		r := w.record(m, a, 900+i*33)
		want := record.StoredVerification{Verification: checks(sentence), MapID: m.ID, PlayerID: a.ID}
		want.CheckedAt = r.CreatedAt
		_, err := w.Submit(t.Context(), record.Accepted{
			Record: r, Verification: want.Verification, Replay: recordtest.Upload{},
		})
		w.must(err)
		got, err := w.Verification(t.Context(), r.ID)
		w.must(err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("record %d (-want +got):\n%s", i+1, diff)
		}
	}
	if n := pgtest.Value[int](t, w.pool, `select count(*) from check_lists`); n != 2 {
		t.Errorf("%d lists are stored, want 2", n)
	}
}
