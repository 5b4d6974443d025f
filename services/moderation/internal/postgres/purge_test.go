package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/moderation/internal/moderation"
)

// Cases, their reports and appeals are kept for two years after the decision, and decisions permanently.
func TestStore_Purge(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const years = 2 * 365 * 24 * time.Hour
	now := minute(0)
	old, young := record(1, anna), record(2, anna)
	f.decide(f.report(ben, old, now.Add(-years-time.Hour)), moderation.Dismiss, old, now.Add(-years-time.Minute))
	f.decide(f.report(ben, young, now.Add(-years-time.Hour)), moderation.Warn, young, now.Add(-years+time.Minute))
	f.report(ben, record(3, anna), now.Add(-years-time.Hour)) // open
	for i, days := range []int{89, 91} {
		pgtest.Exec(t, f.pool, `
			insert into flags (id, record_id, kind, silent, numbers, created_at)
			values ($1, gen_random_uuid(), 'large_lead', true, '{}', $2)`, id(500+i), now.AddDate(0, 0, -days))
	}
	for range 2 {
		for _, purge := range []func(context.Context, time.Time) (int, error){f.PurgeCases, f.PurgeFlags} {
			_, err := purge(t.Context(), now)
			require.NoError(t, err)
		}
		for sql, want := range map[string]int{
			"select count(*) from cases": 2, "select count(*) from reports": 2, "select count(*) from flags": 1,
			"select count(*) from decisions": 1,
		} {
			if n := pgtest.Value[int](t, f.pool, sql); n != want {
				t.Errorf("%s: %d, want %d", sql, n, want)
			}
		}
	}
	summary, err := f.Summary(t.Context(), now.Add(-years))
	want := moderation.Summary{
		OpenCases: 1, ClosedCases: 1, MedianMinutes: 61, Decisions: map[moderation.DecisionKind]int{moderation.Warn: 1},
	}
	if diff := cmp.Diff(want, summary); diff != "" || err != nil {
		t.Errorf("summary, %v (-want +got):\n%s", err, diff)
	}
}
