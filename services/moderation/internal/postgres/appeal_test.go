package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/replica"
	"capzone.dev/services/moderation/internal/moderation"
)

// An appeal that waits for the transaction that undoes its decision is refused once that one is committed.
func TestStore_AddAppeal_while_the_decision_is_undone(t *testing.T) {
	t.Parallel()
	f := open(t)
	warning := f.warn(ben, record(1, anna), 0)

	undoing, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	undo := f.undoOf(warning, moderation.WithdrawWarning)
	_, err = f.In(undoing).Undo(t.Context(), undo, by(mod), map[string]any{}, "", false)
	require.NoError(t, err)
	appealed := make(chan error)
	go func() {
		appealed <- f.AddAppeal(t.Context(), moderation.Appeal{
			ID: id(900), DecisionID: warning.ID, PlayerID: anna, WaitingSince: minute(3),
		}, by(anna))
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

// Of two moderators who answer an appeal at the same moment the second is told so, and undoes nothing.
func TestAppeals_Answer_at_once(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		first  moderation.AppealOutcome
		state  moderation.AppealState
		undone int
	}{
		{moderation.OutcomeKept, moderation.AppealKept, 0},
		{moderation.OutcomeGranted, moderation.AppealGranted, 1},
	} {
		t.Run(string(tt.first), func(t *testing.T) {
			t.Parallel()
			f := open(t)
			cloeMod, emilMod := f.promote(cloe), f.promote(emil)
			about := record(1, anna)
			removal := f.decide(f.report(ben, about, minute(0)), moderation.RemoveRecord, about, minute(1))
			_, err := f.Settle(t.Context(), moderation.Settlement{DecisionID: removal.ID, Command: event.RemoveRecordSubject})
			require.NoError(t, err)
			appealID := f.appeal(removal.ID, 2)
			removed := event.InspectedRecord{RecordID: about.ID, MapID: forest, PlayerID: anna, Removed: true}
			checking, proceed := make(chan struct{}), make(chan struct{})
			second := make(chan error)
			go func() {
				_, err := f.appeals(func() event.InspectedRecord { // after the appeal was found open
					close(checking)
					<-proceed
					return removed
				}).Answer(t.Context(), emilMod, appealID, moderation.OutcomeGranted, "The video shows it.")
				second <- err
			}()
			<-checking
			first := f.appeals(func() event.InspectedRecord { return removed })
			if _, err := first.Answer(t.Context(), cloeMod, appealID, tt.first, "I have looked at it."); err != nil {
				t.Error(err)
			}
			close(proceed)
			if err := <-second; !errors.Is(err, moderation.ErrAppealAnswered) {
				t.Errorf("the second answer: %v, want %v", err, moderation.ErrAppealAnswered)
			}
			appeal, err := f.Appeal(t.Context(), appealID)
			if err != nil || appeal.State != tt.state || len(appeal.Messages) != 1 {
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
		})
	}
}

// promote makes a player a moderator.
func (f *fixture) promote(playerID string) access.Actor {
	f.t.Helper()
	f.apply(moderation.Player{ID: playerID, Version: 2, Name: "Moderator", Roles: []string{access.Moderator}})
	return access.Player(playerID, "Moderator", nil)
}

// inspected is the records service.
type inspected func() event.InspectedRecord

// Inspect implements moderation.Records.
func (i inspected) Inspect(context.Context, string) (event.InspectedRecord, error) { return i(), nil }

// appeals returns the use cases of appeals.
func (f *fixture) appeals(records inspected) *moderation.Appeals {
	players := replica.NewPlayers(f.Store, func(context.Context, string) (event.PlayerState, error) {
		return event.PlayerState{}, event.ErrPlayerUnknown
	})
	things := &moderation.Things{Players: players, Records: records}
	return &moderation.Appeals{Store: f.Store, Desk: &moderation.Desk{
		Cases: f.Store, Decisions: f.Store, Things: things, Now: func() time.Time { return minute(5) },
		NewID: uuid.NewString,
	}}
}
