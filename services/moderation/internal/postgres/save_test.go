package postgres_test

import (
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/moderation"
)

// A case whose decision is refused or undone is open again, with its reports. Where another case about the same was
// opened meanwhile, they belong to that one.
func TestStore_reopen(t *testing.T) {
	t.Parallel()
	about := record(1, anna)
	refuse := func(f *fixture, d moderation.Decision) {
		_, err := f.Settle(f.t.Context(), moderation.Settlement{
			DecisionID: d.ID, Command: event.RemoveRecordSubject, Code: "record_busy",
		})
		require.NoError(f.t, err)
	}
	for name, tt := range map[string]struct {
		kind   moderation.DecisionKind
		giveUp func(f *fixture, d moderation.Decision)
	}{
		"refused": {moderation.RemoveRecord, refuse},
		"undone":  {moderation.Dismiss, func(f *fixture, d moderation.Decision) { f.undo(d) }},
	} {
		for _, withNewer := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := setup(t)
				caseID := f.report(ben, about, minute(0))
				d := f.decide(caseID, tt.kind, about, minute(1))
				want := []string{caseID}
				if withNewer {
					newer := f.report(cloe, about, minute(2))
					want = []string{newer, newer}
				}
				tt.giveUp(f, d)
				got := f.texts(`
					select case_id::text as text from reports r join cases c on c.id = r.case_id and c.open where r.confirmed is null`)
				require.Equal(t, "the open cases of the reports", want, got)
			})
		}
	}
}

// Where the other case is being closed, the case of the refused decision is open again itself.
func TestStore_reopen_while_another_case_is_closed(t *testing.T) {
	t.Parallel()
	f := setup(t)
	about := record(1, anna)
	caseID := f.report(ben, about, minute(0))
	removal := f.decide(caseID, moderation.RemoveRecord, about, minute(1))
	newer := f.report(cloe, about, minute(2))
	_, err := f.Claim(t.Context(), by(mod), newer, false, "", minute(3))
	require.NoError(t, err)
	closing, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = f.In(closing).Decide(t.Context(), newDecision(f.decision(moderation.Warn, about, newer, mod, 4)))
	require.NoError(t, err)
	settled := make(chan error)
	go func() {
		_, err := f.Settle(t.Context(), moderation.Settlement{
			DecisionID: removal.ID, Command: event.RemoveRecordSubject, Code: "record_busy",
		})
		settled <- err
	}()
	eventually.WaitFor(t, "the refusal to wait", func() bool { return pgtest.Waiting(t, f.pool) > 0 })
	require.NoError(t, closing.Commit(t.Context()))
	require.NoError(t, <-settled)
	got := f.texts("select c.id::text as text from reports r join cases c on c.id = r.case_id and c.open")
	require.Equal(t, "the open cases of the reports", []string{caseID}, got)
}
