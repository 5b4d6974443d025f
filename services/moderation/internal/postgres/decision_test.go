package postgres_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/moderation"
)

// Of several moderators who claim a case at once, one gets it. Of decisions at once, as a request that is sent again
// makes them, one is made, and each answer is that one.
func TestStore_at_once(t *testing.T) {
	t.Parallel()
	f := setup(t)
	about := record(1, anna)
	caseID := f.report(ben, about, minute(0))
	moderators := []string{anna, ben, cloe, mod, emil}
	claimed := 0
	for _, err := range atOnce(len(moderators), func(i int) error {
		_, err := f.Claim(t.Context(), by(moderators[i]), caseID, false, "", minute(1))
		return err
	}) {
		if err == nil {
			claimed++
		}
	}
	if claimed != 1 {
		t.Errorf("%d have claimed the case", claimed)
	}
	claimant := pgtest.Value[string](t, f.pool, "select claimed_by::text from cases")
	decisions := make([]moderation.Decision, 5)
	for i := range decisions {
		decisions[i] = f.decision(moderation.RemoveRecord, about, caseID, claimant, 2)
	}
	errs := atOnce(len(decisions), func(i int) (err error) {
		decisions[i], err = f.tryDecide(decisions[i])
		return err
	})
	for i, d := range decisions {
		if errs[i] != nil || d.ID != decisions[0].ID {
			t.Errorf("decided %s and %s, %v", decisions[0].ID, d.ID, errs[i])
		}
	}
	if n := len(f.texts("select subject as text from decision_commands")); n != 1 {
		t.Errorf("%d commands, want 1", n)
	}
}

// A decision that is sent again is the first one, as long as that holds. Another one is another one.
func TestStore_Decide_repeated(t *testing.T) {
	t.Parallel()
	decide := func(f *fixture, d moderation.Decision) string {
		made, err := f.tryDecide(d)
		require.NoError(f.t, err)
		return made.ID
	}
	for name, tt := range map[string]struct {
		change func(f *fixture, d *moderation.Decision)
		isNew  bool
	}{
		"the same":      {change: func(*fixture, *moderation.Decision) {}},
		"after an hour": {change: func(_ *fixture, d *moderation.Decision) { d.At = minute(61) }, isNew: true},
		"another text":  {change: func(_ *fixture, d *moderation.Decision) { d.Text = "It is otherwise." }, isNew: true},
		"of another":    {change: func(_ *fixture, d *moderation.Decision) { d.ByID = emil }, isNew: true},
		"about another": {change: func(_ *fixture, d *moderation.Decision) { d.Subject = player(ben) }, isNew: true},
		"after another one": {change: func(f *fixture, _ *moderation.Decision) {
			f.carryOut(moderation.Ban, player(anna), 1)
		}, isNew: true},
		"after its undoing": {change: func(f *fixture, _ *moderation.Decision) { f.undo(f.last()) }, isNew: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			first := decide(f, f.decision(moderation.Warn, player(anna), "", mod, 0))
			again := f.decision(moderation.Warn, player(anna), "", mod, 1)
			tt.change(f, &again)
			if got := decide(f, again); (got != first) != tt.isNew {
				t.Errorf("decided %s, the first was %s", got, first)
			}
		})
	}
}

// The rules get all that a decision depends on.
func TestStore_Decide_reads(t *testing.T) {
	t.Parallel()
	f := setup(t)
	about := record(1, anna)
	f.apply(moderation.Player{ID: anna, Version: 2, Name: "Anna", Banned: true, Ban: &event.Ban{Until: minute(90)}})
	ban := f.carryOut(moderation.Ban, player(anna), 0)
	caseID := f.report(ben, about, minute(1))
	f.report(cloe, about, minute(2))
	_, err := f.Claim(t.Context(), by(mod), caseID, false, "", minute(3))
	require.NoError(t, err)
	tx, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	undecided := func(d moderation.Decision) moderation.Undecided {
		u, err := f.ReadUndecided(t.Context(), tx, d)
		require.NoError(t, err)
		return u
	}
	copied, err := f.Player(t.Context(), anna)
	require.NoError(t, err)

	unban := f.decision(moderation.Unban, about, caseID, mod, 4)
	file, err := f.CaseFile(t.Context(), caseID)
	require.NoError(t, err)
	want := moderation.Undecided{
		Case: &file.Case, Player: copied, Involved: moderation.Involved{Reporters: []string{ben, cloe}},
		Hidings: moderation.Hidings{{DecisionID: ban.ID, At: ban.At, State: moderation.CommandDone}},
	}
	require.Equal(t, "read for a decision in a case", want, undecided(unban))

	withoutCase := f.decision(moderation.Warn, about, "", mod, 4)
	want = moderation.Undecided{Player: copied, Involved: moderation.Involved{OpenCaseID: caseID}}
	require.Equal(t, "read for a decision without a case", want, undecided(withoutCase))
	require.NoError(t, tx.Rollback(t.Context()))

	f.decide(caseID, moderation.RemoveRecord, about, minute(5))
	f.settleAll()
	removal := f.last()
	appealID := f.appeal(removal.ID, 6)
	appeal, err := f.Appeal(t.Context(), appealID)
	require.NoError(t, err)
	restored := f.carryOut(moderation.RestoreRecord, about, 7)
	undo := f.undoOf(removal)
	wantUndoable := moderation.Undoable{
		Decision: removal, Later: []moderation.Decision{restored},
		Involved: moderation.Involved{Reporters: []string{ben, cloe}, Appeal: &appeal},
	}
	tx, err = f.pool.Begin(t.Context())
	require.NoError(t, err)
	undoable, err := f.ReadUndoable(t.Context(), tx, undo)
	require.NoError(t, err)
	require.Equal(t, "read for an undoing", wantUndoable, undoable)
	require.NoError(t, tx.Rollback(t.Context()))
	_, err = f.tryDecide(f.decision(moderation.Warn, about, f.newID(), mod, 9))
	if !errors.Is(err, moderation.ErrCaseUnknown) {
		t.Errorf("an unknown case: %v", err)
	}
}

// The undoing of a ban locks the bans that hide the player in their order, as all that lifts bans does.
func TestStore_Undo_locks_bans_in_order(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.carryOut(moderation.Ban, player(anna), 0)
	second := f.carryOut(moderation.Ban, player(anna), 1)
	other, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	lock := func(minutes int) {
		_, err := other.Exec(t.Context(), "select from decisions where created_at = $1 for update", minute(minutes))
		require.NoError(t, err)
	}
	lock(0)
	undone := make(chan error)
	go func() {
		_, err := f.Undo(t.Context(), newDecision(f.undoOf(second)))
		undone <- err
	}()
	eventually.WaitFor(t, "the undoing to wait", func() bool { return pgtest.Waiting(t, f.pool) > 0 })
	lock(1)
	require.NoError(t, other.Commit(t.Context()))
	if err := <-undone; err != nil {
		t.Errorf("the undoing: %v", err)
	}
}

// last returns the last decision.
func (f *fixture) last() moderation.Decision {
	f.t.Helper()
	id := pgtest.Value[string](f.t, f.pool, "select id::text from decisions order by created_at desc limit 1")
	d, err := f.Decision(f.t.Context(), id)
	require.NoError(f.t, err)
	return d
}

var inverses = map[moderation.DecisionKind]moderation.DecisionKind{
	moderation.Warn: moderation.WithdrawWarning, moderation.RemoveRecord: moderation.RestoreRecord,
	moderation.Ban: moderation.Unban, moderation.Dismiss: moderation.Reopen,
}

// undoOf returns the decision that undoes another one.
func (f *fixture) undoOf(d moderation.Decision) moderation.Decision {
	return moderation.Decision{
		ID: f.newID(), Kind: inverses[d.Kind], Subject: d.Subject, ByID: mod, PublicReason: access.Mistake,
		Text: "It was a mistake.", CaseID: d.CaseID, Undoes: d.ID, At: d.At.Add(30 * time.Second),
	}
}

// undo undoes a decision.
func (f *fixture) undo(d moderation.Decision) moderation.Decision {
	f.t.Helper()
	undo, err := f.Undo(f.t.Context(), newDecision(f.undoOf(d)))
	require.NoError(f.t, err)
	return undo
}

// carryOut decides without a case at a minute, and has the commands carried out.
func (f *fixture) carryOut(kind moderation.DecisionKind, about moderation.Subject, at int) moderation.Decision {
	f.t.Helper()
	d := f.decideAbout(about, kind, at)
	for _, command := range f.texts(
		"select subject as text from decision_commands where decision_id = '" + d.ID + "' order by position") {
		f.settle(d.ID, command)
	}
	return f.last()
}

// settleAll has all commands carried out that wait.
func (f *fixture) settleAll() {
	f.t.Helper()
	type sent struct{ Decision, Command string }
	for _, s := range pgtest.Rows[sent](f.t, f.pool,
		"select decision_id::text as decision, subject as command from decision_commands where state = 'sent'") {
		f.settle(s.Decision, s.Command)
	}
}
