package postgres_test

import (
	"testing"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/moderation"
)

// The facts of two decisions may be handled in another order: what a second ban has hidden is still shown when that ban
// ends.
func TestStore_Settle_second_ban_before_the_first_is_undone(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.carryOut(moderation.Ban, player(anna), 0)
	unban := f.decideAboutAnna(moderation.Unban, 1)
	f.settle(unban, event.UnbanPlayerSubject)
	second := f.carryOut(moderation.Ban, player(anna), 2).ID
	f.settle(unban, event.ShowPlayerSubject)
	require.NoError(t, f.ShowAfterBan(t.Context(), anna, moderation.AfterBan("moderation", "")))
	if show := outboxtest.Last[event.ShowPlayer](t, f.pool); show.DecisionID != second || show.PlayerID != anna {
		t.Errorf("the last command to show records is of decision %s, want %s", show.DecisionID, second)
	}
}

// That the time of a ban is over may be learned when the player is banned again already. What the later ban has hidden
// stays hidden, also where it hides afterwards.
func TestStore_ShowAfterBan_during_a_later_ban(t *testing.T) {
	t.Parallel()
	for name, hidesFirst := range map[string]bool{"has hidden": true, "is about to hide": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			first := f.carryOut(moderation.Ban, player(anna), 0).ID
			second := f.decideAboutAnna(moderation.Ban, 1)
			f.settle(second, event.BanPlayerSubject)
			if hidesFirst {
				f.settle(second, event.HidePlayerSubject)
			}
			require.NoError(t, f.ShowAfterBan(t.Context(), anna, moderation.AfterBan("moderation", first)))
			if !hidesFirst {
				f.settle(second, event.HidePlayerSubject)
			}
			hidden := f.texts("select decision_id::text as text from hidden_by_bans")
			require.Equal(t, "bans that hide the records", []string{second}, hidden)
			require.NoError(t, f.ShowAfterBan(t.Context(), anna, moderation.AfterBan("moderation", second)))
			if show := outboxtest.Last[event.ShowPlayer](t, f.pool); show.DecisionID != second {
				t.Errorf("the last command to show records is of decision %s, want %s", show.DecisionID, second)
			}
		})
	}
}

// decideAboutAnna decides about a player without a case and returns the id of the decision.
func (f *fixture) decideAboutAnna(kind moderation.DecisionKind, minutes int) string {
	f.t.Helper()
	d, err := f.tryDecide(f.decision(kind, player(anna), "", mod, minutes))
	require.NoError(f.t, err)
	return d.ID
}

// settle says that a command of a decision was carried out.
func (f *fixture) settle(decision, command string) {
	f.t.Helper()
	settled, err := f.Settle(f.t.Context(), moderation.Settlement{DecisionID: decision, Command: command})
	if err != nil || !settled {
		f.t.Fatalf("%s: settled %t, %v", command, settled, err)
	}
}
