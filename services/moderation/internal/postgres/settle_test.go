package postgres_test

import (
	"testing"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/moderation"
)

// A refused command is stored with what the owner says, and a needless one makes its decision needless.
func TestStore_Settle(t *testing.T) {
	t.Parallel()
	f := setup(t)
	settle := func(d moderation.Decision, code string) moderation.Decision {
		settled, err := f.Settle(t.Context(), moderation.Settlement{
			DecisionID: d.ID, Command: event.UnbanPlayerSubject, Code: code, Message: "No.",
		})
		if err != nil || !settled {
			t.Errorf("%s: settled %t, %v", code, settled, err)
		}
		return f.last()
	}
	refused := settle(f.decideAbout(player(anna), moderation.Unban, 0), "player_merged")
	if refused.State != moderation.Refused || refused.RefusalCode != "player_merged" || refused.RefusalMessage != "No." {
		t.Errorf("refused: %+v", refused)
	}
	needless := settle(f.decideAbout(player(anna), moderation.Unban, 1), "not_banned")
	if needless.State != moderation.CarriedOut || !needless.Needless {
		t.Errorf("needless: %+v", needless)
	}
	for _, id := range []string{"", "x", f.newID(), needless.ID} {
		s := moderation.Settlement{DecisionID: id, Command: event.UnbanPlayerSubject}
		settled, err := moderation.Settle(t.Context(), f, s)
		if settled || err != nil {
			t.Errorf("the fact of %q: settled %t, %v", id, settled, err)
		}
	}
}

// What a ban hides is shown by the unban that ends it, or by the service when its time is over, and once.
func TestStore_bans_that_hide(t *testing.T) {
	t.Parallel()
	f := setup(t)
	hiding := func() []string {
		return f.texts("select decision_id::text as text from decision_commands where subject = '" +
			event.HidePlayerSubject + "' and state = 'done'")
	}
	end := func(decisionID string) error {
		return f.ShowAfterBan(t.Context(), moderation.AfterBan(decisionID), anna)
	}
	shown := func() int {
		return pgtest.Value[int](t, f.pool, "select count(*) from outbox where subject = $1", event.ShowPlayerSubject)
	}
	first := f.carryOut(moderation.Ban, player(anna), 0)
	require.Equal(t, "hidden by the first ban", []string{first.ID}, hiding())
	f.carryOut(moderation.Unban, player(anna), 1)
	if shows := shown(); len(hiding()) != 0 || shows != 1 {
		t.Errorf("after an unban %v hide records, and they were shown %d times", hiding(), shows)
	}

	second := f.decideAbout(player(anna), moderation.Ban, 2)
	f.settle(second.ID, event.BanPlayerSubject)
	if err := end(second.ID); err == nil {
		t.Error("a ban has ended that is about to hide records")
	}
	f.settle(second.ID, event.HidePlayerSubject)
	for range 2 { // the end of a ban may be told twice
		require.NoError(t, end(second.ID))
	}
	show := outboxtest.Last[event.ShowPlayer](t, f.pool)
	if n := pgtest.Value[int](t, f.pool, "select count(*) from decision_commands where state = 'over'"); n != 2 ||
		shown() != 2 || show.DecisionID != second.ID || show.PlayerID != anna {
		t.Errorf("%d bans are over; shown %d times, at last by %+v", n, shown(), show)
	}
}

// decideAbout decides without a case.
func (f *fixture) decideAbout(
	about moderation.Subject, kind moderation.DecisionKind, minutes int,
) moderation.Decision {
	f.t.Helper()
	d, err := f.tryDecide(f.decision(kind, about, "", mod, minutes))
	require.NoError(f.t, err)
	return d
}

// settle says that a command of a decision was carried out.
func (f *fixture) settle(decision, command string) {
	f.t.Helper()
	settled, err := f.Settle(f.t.Context(), moderation.Settlement{DecisionID: decision, Command: command})
	if err != nil || !settled {
		f.t.Fatalf("%s: settled %t, %v", command, settled, err)
	}
}
