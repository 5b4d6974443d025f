package postgres_test

import (
	"fmt"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

func TestStore_Details(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a, b := w.newMap("m", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	submitted := []record.Record{w.submitted(m, a, 900), w.submitted(m, b, 867), w.submitted(m, a, 933),
		w.submitted(m, a, 833), w.submitted(m, b, 833)}
	check := func(want ...string) {
		t.Helper()
		var got []string
		for _, r := range submitted {
			d, err := w.Details(t.Context(), r.ID)
			if err != nil {
				got = append(got, err.Error())
				continue
			}
			got = append(got, fmt.Sprintf("%s %d: rank %d, then %d; after %d and %d; now %s %d", d.Player.Name, d.FinishTime,
				d.Rank, d.RankAtSubmission, d.PreviousBest, d.PreviousWorldRecord, d.WorldRecord.Player.Name,
				d.WorldRecord.FinishTime))
		}
		assert.Equal(t, "details", want, got)
	}
	check("a 900: rank 0, then 1; after 0 and 0; now a 833",
		"b 867: rank 0, then 1; after 0 and 900; now a 833",
		"a 933: rank 0, then 0; after 900 and 867; now a 833",
		"a 833: rank 1, then 1; after 900 and 867; now a 833",
		"b 833: rank 2, then 2; after 867 and 833; now a 833")
	w.remove(submitted[3])
	w.remove(submitted[0])
	unknown := record.ErrRecordUnknown.Error()
	check(unknown, "b 867: rank 0, then 1; after 0 and 0; now b 833",
		"a 933: rank 2, then 0; after 0 and 867; now b 833", unknown,
		"b 833: rank 1, then 2; after 867 and 867; now b 833")
}

func TestStore_Details_without_copies(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, p := record.Map{ID: newID()}, record.Player{ID: newID()}
	rec := w.submitted(m, p, 900)
	got, err := w.get(rec.ID)
	w.must(err)
	want := record.RankedRecord{Record: rec, Map: m, Player: p, PersonalBest: true, Rank: 1, Of: 1, IsWorldRecord: true}
	assert.Equal(t, "record", want, got)
}
