package postgres_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/moderation/internal/moderation"
)

func TestStore_Claim(t *testing.T) {
	t.Parallel()
	f := open(t)
	about := record(1, anna)
	caseID := f.report(ben, about, minute(0))
	claim := func(player string, at int, takeOver bool) error {
		_, err := f.Claim(t.Context(), caseID, by(player), minute(at), takeOver, map[string]any{})
		return err
	}
	for i, tt := range []struct {
		player   string
		at       int
		takeOver bool
		want     error
	}{
		{mod, 0, false, nil}, {mod, 10, false, nil}, // which renews it
		{emil, 20, false, moderation.ErrCaseClaimed}, {emil, 20, true, nil},
		{mod, 21, false, moderation.ErrCaseClaimed}, {mod, 41, false, nil}, // the other one has ended
	} {
		err := claim(tt.player, tt.at, tt.takeOver)
		if !errors.Is(err, tt.want) {
			t.Errorf("claim %d: %v, want %v", i, err, tt.want)
		}
		if errors.Is(err, moderation.ErrCaseClaimed) && problem.From(err).Data["claim"] == nil {
			t.Errorf("claim %d: who has the case is not said", i)
		}
	}
	require.NoError(t, f.Release(t.Context(), caseID, emil)) // it is not theirs
	if n := pgtest.Value[int](t, f.pool, "select count(*) from audit where action = 'claim case'"); n != 3 {
		t.Errorf("%d rows in the audit log, want one for each new claim", n)
	}
	decide := func(player string, kind moderation.DecisionKind) error {
		_, err := f.tryDecide(f.decision(kind, about, caseID, player, 100))
		return err
	}
	if err := decide(emil, moderation.Dismiss); !errors.Is(err, moderation.ErrCaseNotClaimed) {
		t.Errorf("decided by another: %v", err)
	}
	// A claim that has ended counts while nobody else has the case.
	require.NoError(t, decide(mod, moderation.Dismiss))
	for _, err := range []error{claim(mod, 101, false), decide(mod, moderation.Warn)} {
		if !errors.Is(err, moderation.ErrCaseClosed) {
			t.Errorf("a closed case: %v", err)
		}
	}
}

// Of several moderators who claim a case at once, one gets it. Of decisions at once, as a request that is sent again
// makes them, one is made, and each answer is that one.
func TestStore_at_once(t *testing.T) {
	t.Parallel()
	f := open(t)
	about := record(1, anna)
	caseID := f.report(ben, about, minute(0))
	moderators := []string{anna, ben, cloe, mod, emil}
	claimed := 0
	for _, err := range atOnce(len(moderators), func(i int) error {
		_, err := f.Claim(t.Context(), caseID, by(moderators[i]), minute(1), false, map[string]any{})
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
		"after its undoing": {change: func(f *fixture, _ *moderation.Decision) { f.undo(f.last(), false) }, isNew: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			first := decide(f, f.decision(moderation.Warn, player(anna), "", mod, 0))
			again := f.decision(moderation.Warn, player(anna), "", mod, 1)
			tt.change(f, &again)
			if got := decide(f, again); (got != first) != tt.isNew {
				t.Errorf("decided %s, the first was %s", got, first)
			}
		})
	}
}

// Whose account was deleted is neither warned nor banned, also where that is known only now.
func TestStore_Decide_about_a_deleted_account(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.apply(moderation.Player{ID: anna, Version: 3, Name: "deleted player 3f2a", Deleted: true})
	for _, kind := range []moderation.DecisionKind{moderation.Warn, moderation.Ban} {
		if _, err := f.tryDecide(f.decision(kind, player(anna), "", mod, 0)); !errors.Is(err, moderation.ErrNotApplicable) {
			t.Errorf("%s: %v, want %v", kind, err, moderation.ErrNotApplicable)
		}
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

// undoOf returns the decision that undoes another one.
func (f *fixture) undoOf(d moderation.Decision, kind moderation.DecisionKind) moderation.Decision {
	return moderation.Decision{
		ID: f.newID(), Kind: kind, Subject: d.Subject, ByID: mod, PublicReason: access.Mistake, Text: "It was a mistake.",
		CaseID: d.CaseID, Undoes: d.ID, At: d.At.Add(30 * time.Second),
	}
}

var inverses = map[moderation.DecisionKind]moderation.DecisionKind{
	moderation.Warn: moderation.WithdrawWarning, moderation.RemoveRecord: moderation.RestoreRecord,
	moderation.RestoreRecord: moderation.RemoveRecord, moderation.Ban: moderation.Unban, moderation.Unban: moderation.Ban,
	moderation.Dismiss: moderation.Reopen,
}

// undo undoes a decision, and reports whether that was refused because another one has overtaken it.
func (f *fixture) undo(d moderation.Decision, needsNone bool) (overtaken bool) {
	f.t.Helper()
	_, err := f.Undo(f.t.Context(), f.undoOf(d, inverses[d.Kind]), by(mod), map[string]any{}, "", needsNone)
	if err != nil && !errors.Is(err, moderation.ErrDecisionFinal) {
		f.t.Fatal(err)
	}
	return err != nil
}

// carryOut decides without a case at a minute, and has the commands carried out.
func (f *fixture) carryOut(kind moderation.DecisionKind, about moderation.Subject, at int) moderation.Decision {
	f.t.Helper()
	d, err := f.tryDecide(f.decision(kind, about, "", mod, at))
	require.NoError(f.t, err)
	for _, command := range f.texts("select subject as text from decision_commands where decision_id = '" + d.ID + "'") {
		f.settle(d.ID, command)
	}
	return f.last()
}

// A decision is not undone while a later one about the same holds. Warnings stand beside each other, a ban knows its
// decision, and bans are about a player, whatever thing their decisions name.
func TestStore_Undo_overtaken(t *testing.T) {
	t.Parallel()
	about := record(1, anna)
	type step struct {
		kind  moderation.DecisionKind
		about moderation.Subject
	}
	for name, tt := range map[string]struct {
		steps []step
		want  bool // of the first
	}{
		"a removal": {[]step{{moderation.RemoveRecord, about}}, false},
		"a removal before another one": {
			[]step{{moderation.RemoveRecord, about}, {moderation.RestoreRecord, about}, {moderation.RemoveRecord, about}}, true,
		},
		"a removal beside one of another record": {
			[]step{{moderation.RemoveRecord, about}, {moderation.RemoveRecord, record(2, anna)}}, false,
		},
		"a warning before another one": {[]step{{moderation.Warn, about}, {moderation.Warn, player(anna)}}, false},
		"a ban that was lifted":        {[]step{{moderation.Ban, player(anna)}, {moderation.Unban, player(anna)}}, false},
		"an unban before another ban": {
			[]step{{moderation.Unban, about}, {moderation.Ban, player(anna)}, {moderation.Unban, player(anna)}}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			var made []moderation.Decision
			for i, s := range tt.steps {
				made = append(made, f.carryOut(s.kind, s.about, 2*i))
			}
			if got := f.undo(made[0], false); got != tt.want {
				t.Errorf("overtaken: %t, want %t", got, tt.want)
			}
			if !tt.want {
				return
			}
			for i := len(made) - 1; i >= 0; i-- { // once the later ones are undone
				f.settleAll()
				if f.undo(made[i], false) {
					t.Errorf("decision %d is overtaken still", i)
				}
			}
		})
	}
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

// An unban has the end of the ban that it lifts, so that undoing it bans until then. One that had nothing to lift is
// needless.
func TestStore_Decide_unban(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.apply(moderation.Player{ID: anna, Version: 2, Name: "Anna", Banned: true, Ban: &event.Ban{Until: minute(90)}})
	if unban := f.carryOut(moderation.Unban, player(anna), 1); !unban.Until.Equal(minute(90)) || unban.Needless {
		t.Errorf("the unban: %+v", unban)
	}
	d := f.decideAboutAnna(moderation.Unban, 3)
	_, err := f.Settle(t.Context(), moderation.Settlement{
		DecisionID: d, Command: event.UnbanPlayerSubject, Code: "not_banned",
	})
	if needless := f.last(); err != nil || !needless.Needless || needless.State != moderation.CarriedOut {
		t.Errorf("%v, an unban with nothing to lift: %+v", err, needless)
	}
}

// Records that a ban hides after it is over are shown again, whether its time has ended or it was lifted. Undoing a ban
// before it, which is over, leaves what it hides.
func TestStore_Settle_ban_over_before_it_hides(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		end    func(f *fixture, first, second string)
		hidden int
	}{
		"its time is over": {func(f *fixture, _, second string) {
			require.NoError(f.t, f.ShowAfterBan(f.t.Context(), anna, moderation.AfterBan("moderation", second)))
		}, 0},
		"it is lifted": {func(f *fixture, _, _ string) { f.decideAboutAnna(moderation.Unban, 3) }, 0},
		"the one before is undone": {func(f *fixture, first, _ string) {
			d, err := f.Decision(f.t.Context(), first)
			if err != nil || f.undo(d, true) {
				f.t.Fatal(err)
			}
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			first := f.carryOut(moderation.Ban, player(anna), 0).ID
			pgtest.Exec(t, f.pool, "delete from hidden_by_bans")
			second := f.decideAboutAnna(moderation.Ban, 2)
			f.settle(second, event.BanPlayerSubject)
			tt.end(f, first, second)
			f.settle(second, event.HidePlayerSubject)
			if n := pgtest.Value[int](t, f.pool, "select count(*) from hidden_by_bans"); n != tt.hidden {
				t.Errorf("%d bans hide records, want %d", n, tt.hidden)
			}
		})
	}
}

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
		"undone":  {moderation.Dismiss, func(f *fixture, d moderation.Decision) { f.undo(d, false) }},
	} {
		for _, withNewer := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := open(t)
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
