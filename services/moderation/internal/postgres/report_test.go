package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/problem"
	"capzone.dev/services/moderation/internal/moderation"
)

// Reports of one thing are one case. Each player reports it once.
func TestStore_AddReport(t *testing.T) {
	t.Parallel()
	f := setup(t)
	about := record(1, anna)
	first, err := f.tryReport(ben, about, minute(0))
	require.NoError(t, err)
	if caseID := f.report(cloe, about, minute(1)); caseID != first.CaseID {
		t.Errorf("a second case: %s", caseID)
	}
	if other := f.report(cloe, record(2, anna), minute(1)); other == first.CaseID {
		t.Error("two things are one case")
	}
	if again, err := f.tryReport(ben, about, minute(2)); err != nil || again.ID != first.ID { // sent again
		t.Errorf("sent again: %+v, %v", again, err)
	}
	file, err := f.CaseFile(t.Context(), first.CaseID)
	if err != nil || file.Reports != 2 || len(file.Reported) != 2 || file.Priority != 40 ||
		!file.OpenedAt.Equal(minute(0)) || file.Subject != about {
		t.Errorf("%+v, %v", file, err)
	}
	// After the decision a report opens a new case.
	f.decide(first.CaseID, moderation.Dismiss, about, minute(4))
	if again := f.report(ben, about, minute(5)); again == first.CaseID {
		t.Error("a closed case got a report")
	}
}

// At most ten reports a day, also when they come at once.
func TestStore_AddReport_ten_a_day(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.report(ben, record(0, anna), minute(0))
	full := 0
	for _, err := range atOnce(20, func(i int) error {
		_, err := f.AddReport(t.Context(), by(ben), record(i+1, anna), moderation.Report{
			ID: id(2000 + i), CaseID: id(3000 + i), At: minute(60),
		})
		return err
	}) {
		switch {
		case errors.Is(err, moderation.ErrReportsFull):
			full++
			if after := problem.From(err).RetryAfter; after != 23*time.Hour {
				t.Errorf("try again after %s", after)
			}
		case err != nil:
			t.Error(err)
		}
	}
	if n := pgtest.Value[int](t, f.pool, "select count(*) from cases"); full != 11 || n != 10 {
		t.Errorf("%d of 20 are too many, want 11, and %d cases, want 10", full, n)
	}
	f.report(ben, record(30, anna), minute(0).Add(24*time.Hour+time.Minute)) // the first one counts no more
	f.report(cloe, record(31, anna), minute(60))
}

// A report weighs by what became of the last ones of its reporter.
func TestStore_AddReport_weights(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for i := range 8 {
		reporter, kind := ben, moderation.Dismiss
		if i%2 == 0 {
			reporter, kind = cloe, moderation.Warn
		}
		about := record(i, anna)
		f.decide(f.report(reporter, about, minute(i)), kind, about, minute(i))
	}
	f.report(ben, record(20, anna), minute(20))
	f.report(cloe, record(21, anna), minute(20))
	f.report(emil, record(22, anna), minute(20))
	cases, total, err := f.Cases(t.Context(), moderation.CaseFilter{Now: minute(30), Limit: 10})
	var priorities []int
	for _, c := range cases {
		priorities = append(priorities, c.Priority)
	}
	if diff := cmp.Diff([]int{36, 20, 4}, priorities); diff != "" || total != 3 || err != nil {
		t.Errorf("priorities of %d, %v (-want +got):\n%s", total, err, diff)
	}
}
