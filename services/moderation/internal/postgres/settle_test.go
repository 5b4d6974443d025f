package postgres_test

import (
	"testing"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/moderation"
)

// The facts of two decisions may be handled in another order: what a second ban has hidden is still shown when that ban
// ends.
func TestStore_Settle_second_ban_before_the_first_is_undone(t *testing.T) {
	t.Parallel()
	f := open(t)
	decide := func(kind moderation.DecisionKind, minutes int) string {
		t.Helper()
		d, err := f.Decide(t.Context(), moderation.Decision{
			ID: f.newID(), Kind: kind, Subject: player(anna), ByID: mod, PublicReason: access.Other, Text: "It is so.",
			At: minute(minutes),
		}, by(mod), map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		return d.ID
	}
	settle := func(decision, command string) {
		t.Helper()
		settled, err := f.Settle(t.Context(), moderation.Settlement{DecisionID: decision, Command: command})
		if err != nil || !settled {
			t.Fatalf("%s: settled %t, %v", command, settled, err)
		}
	}
	first := decide(moderation.Ban, 0)
	settle(first, event.BanPlayerSubject)
	settle(first, event.HidePlayerSubject)
	unban := decide(moderation.Unban, 1)
	settle(unban, event.UnbanPlayerSubject)
	second := decide(moderation.Ban, 2)
	settle(second, event.BanPlayerSubject)
	settle(second, event.HidePlayerSubject)
	settle(unban, event.ShowPlayerSubject)
	if err := f.ShowAfterBan(t.Context(), anna, moderation.AfterBan("moderation", "")); err != nil {
		t.Fatal(err)
	}
	if show := outboxtest.Last[event.ShowPlayer](t, f.pool); show.DecisionID != second || show.PlayerID != anna {
		t.Errorf("the last command to show records is of decision %s, want %s", show.DecisionID, second)
	}
}
