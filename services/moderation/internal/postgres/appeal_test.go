package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/access"
	"capzone.dev/services/moderation/internal/moderation"
)

// An appeal that waits for the transaction that undoes its decision is refused once that one is committed.
func TestStore_AddAppeal_while_the_decision_is_undone(t *testing.T) {
	t.Parallel()
	f := open(t)
	about := record(1, anna)
	warning := f.decide(f.report(ben, about, minute(0)), moderation.Warn, about, minute(1))

	undoing, err := f.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.In(undoing).Undo(t.Context(), f.undoing(warning), by(mod), map[string]any{}, false); err != nil {
		t.Fatal(err)
	}
	appealed := make(chan error)
	go func() {
		appealed <- f.AddAppeal(t.Context(), moderation.Appeal{
			ID: id(900), DecisionID: warning.ID, PlayerID: anna, WaitingSince: minute(3),
		}, by(anna))
	}()
	awaitBlocked(t, undoing)
	if err := undoing.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-appealed; !errors.Is(err, moderation.ErrAppealNotApplicable) {
		t.Errorf("the appeal: %v, want %v", err, moderation.ErrAppealNotApplicable)
	}
	if n := pgtest.Value[int](t, f.pool, "select count(*) from appeals"); n != 0 {
		t.Errorf("%d appeals are open that nobody can grant", n)
	}
}

// undoing returns a decision that undoes a warning.
func (f *fixture) undoing(warning moderation.Decision) moderation.Decision {
	return moderation.Decision{
		ID: f.newID(), Kind: moderation.WithdrawWarning, Subject: warning.Subject, ByID: mod, PublicReason: access.Mistake,
		Text: "It was a mistake.", CaseID: warning.CaseID, Undoes: warning.ID, At: warning.At.Add(1),
	}
}

// awaitBlocked waits until another transaction waits for a lock that tx holds.
func awaitBlocked(t *testing.T, tx pgx.Tx) {
	t.Helper()
	const isWaitedForSQL = `
		select exists (select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid)))`
	eventually.WaitFor(t, "a transaction that is blocked", func() (blocked bool) {
		if err := tx.QueryRow(t.Context(), isWaitedForSQL).Scan(&blocked); err != nil {
			t.Fatal(err)
		}
		return blocked
	})
}
