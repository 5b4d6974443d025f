package postgres_test

import (
	"errors"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/moderation"
)

// An appeal that waits for the transaction that undoes its decision is refused once that one is committed.
func TestStore_AddAppeal_while_the_decision_is_undone(t *testing.T) {
	t.Parallel()
	f := setup(t)
	warning := f.warn(ben, record(1, anna), 0)

	undoing, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = f.In(undoing).Undo(t.Context(), newDecision(f.undoOf(warning)))
	require.NoError(t, err)
	appealed, appeal := make(chan error), f.newAppeal(warning.ID, 3)
	go func() {
		_, err := f.AddAppeal(t.Context(), by(anna), appeal)
		appealed <- err
	}()
	eventually.WaitFor(t, "the appeal to wait", func() bool { return pgtest.Waiting(t, f.pool) > 0 })
	require.NoError(t, undoing.Commit(t.Context()))
	if err := <-appealed; !errors.Is(err, moderation.ErrAppealNotApplicable) {
		t.Errorf("the appeal: %v, want %v", err, moderation.ErrAppealNotApplicable)
	}
	if n := pgtest.Value[int](t, f.pool, "select count(*) from appeals"); n != 0 {
		t.Errorf("%d appeals are open that nobody can grant", n)
	}
}

// Of two moderators who answer an appeal at the same moment the second is told so, and undoes nothing. An answer that
// the owner of the data makes impossible is taken back.
func TestStore_answers_at_once(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		state  moderation.AppealState
		undone int
	}{
		{moderation.AppealKept, 0},
		{moderation.AppealGranted, 1},
	} {
		t.Run(string(tt.state), func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			removal := f.carryOut(moderation.RemoveRecord, record(1, anna), 1)
			appealID := f.appeal(removal.ID, 2)
			answer := func(moderator string, state moderation.AppealState) error {
				if state == moderation.AppealGranted {
					undo := f.undoOf(removal)
					undo.ByID = moderator
					n := newDecision(undo)
					n.AppealID = appealID
					_, err := f.Undo(t.Context(), n)
					return err
				}
				m := moderation.AppealMessage{ID: f.newID(), FromModerator: true, Text: "We have seen it.", At: minute(3)}
				return f.AnswerAppeal(t.Context(), by(moderator), appealID, state, m)
			}
			require.NoError(t, answer(mod, tt.state))
			for _, second := range []moderation.AppealState{moderation.AppealKept, moderation.AppealGranted} {
				if err := answer(emil, second); !errors.Is(err, moderation.ErrAppealAnswered) {
					t.Errorf("then %s: %v, want %v", second, err, moderation.ErrAppealAnswered)
				}
			}
			appeal, err := f.Appeal(t.Context(), appealID)
			if err != nil || appeal.State != tt.state || len(appeal.Messages) != 2 {
				t.Errorf("the appeal: %+v, %v", appeal, err)
			}
			for what, sql := range map[string]string{
				"decisions":             "select count(*) from decisions where undoes is not null",
				"rows of the audit log": "select count(*) from audit where action = 'undo decision'",
			} {
				if n := pgtest.Value[int](t, f.pool, sql); n != tt.undone {
					t.Errorf("%d %s undo the removal, want %d", n, what, tt.undone)
				}
			}
			if tt.undone == 0 {
				return
			}
			undo := pgtest.Value[string](t, f.pool, "select id::text from decisions where undoes is not null")
			_, err = f.Settle(t.Context(), moderation.Settlement{
				DecisionID: undo, Command: event.RestoreRecordSubject, Code: "replay_purged", At: minute(9),
			})
			require.NoError(t, err)
			appeal, err = f.Appeal(t.Context(), appealID)
			if err != nil || appeal.State != moderation.AppealOpen || len(appeal.Messages) != 1 ||
				!appeal.WaitingSince.Equal(minute(9)) {
				t.Errorf("the appeal after the refusal: %+v, %v", appeal, err)
			}
		})
	}
}
