package app_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
)

// decide returns a decision by a player for a reason.
func decide(by event.PlayerState, reason access.Reason) access.Attribution {
	return access.Attribution{
		Actor: access.Player(by.ID, by.Name, []string{access.Moderator}), Reason: reason,
		PublicReason: access.AltAccount, DecisionID: uuid.Must(uuid.NewV7()).String(),
	}
}

func TestService_carries_out_commands(t *testing.T) {
	b := setup(t)
	moderator, revoked, ann, admin := b.register("Mo"), b.register("Rev"), b.register("Ann"), b.register("Ada")
	operator(t, b, "grant", "Ada", "admin")
	operator(t, b, "grant", "Mo", "moderator")
	operator(t, b, "grant", "Rev", "moderator")
	operator(t, b, "revoke", "Rev", "moderator")

	ban, late := decide(moderator, "two accounts"), decide(moderator, "two accounts")
	until := time.Date(2099, 1, 31, 18, 0, 0, 0, time.UTC)
	again, noReason, byRevoked := decide(moderator, "two accounts"), decide(moderator, ""), decide(revoked, "revenge")
	unban, merge := decide(moderator, "appeal"), decide(moderator, "renamed")
	ofAdmin := decide(moderator, "revenge")
	for _, command := range []event.Command{
		event.BanPlayer{Attribution: late, PlayerID: ann.ID, Until: time.Now().Add(-time.Second)},
		event.BanPlayer{Attribution: ban, PlayerID: ann.ID, Until: until},
		event.BanPlayer{Attribution: ban, PlayerID: ann.ID, Until: until}, // sent twice
		event.BanPlayer{Attribution: again, PlayerID: ann.ID},
		event.BanPlayer{Attribution: noReason, PlayerID: ann.ID},
		event.UnbanPlayer{Attribution: byRevoked, PlayerID: ann.ID},
		event.MergePlayer{Attribution: merge, PlayerID: ann.ID, IntoID: moderator.ID},
		event.UnbanPlayer{Attribution: unban, PlayerID: ann.ID},
		event.BanPlayer{Attribution: ofAdmin, PlayerID: admin.ID},
	} {
		b.SendCommand(command)
		natstest.AwaitSettled(t, b.JetStream, event.PlayersCommands)
	}

	var done []event.Fact
	var refused []event.CommandRefused
	for _, m := range outboxtest.All(t, b.Pool) {
		switch m.Subject {
		case event.PlayerBannedSubject:
			done = append(done, outboxtest.Data[event.PlayerBanned](t, m))
		case event.PlayerUnbannedSubject:
			done = append(done, outboxtest.Data[event.PlayerUnbanned](t, m))
		case event.CommandRefusedSubject:
			refused = append(refused, outboxtest.Data[event.CommandRefused](t, m))
		}
	}
	if diff := cmp.Diff([]event.Fact{
		event.PlayerBanned{PlayerID: ann.ID, Reason: "two accounts", Until: until, DecisionID: ban.DecisionID},
		event.PlayerUnbanned{PlayerID: ann.ID, Reason: "appeal", DecisionID: unban.DecisionID},
	}, done); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	refusal := func(by access.Attribution, command, code, message string) event.CommandRefused {
		return event.CommandRefused{
			DecisionID: by.DecisionID, Command: command, TargetID: ann.ID, Code: code, Message: message,
		}
	}
	if diff := cmp.Diff([]event.CommandRefused{
		refusal(late, event.BanPlayerSubject, "ban_over", player.ErrBanOver.Message),
		refusal(again, event.BanPlayerSubject, "banned_already", "The player is banned already."),
		refusal(noReason, event.BanPlayerSubject, "reason_missing", access.ErrReasonMissing.Message),
		refusal(byRevoked, event.UnbanPlayerSubject, "not_allowed", access.ErrForbidden.Message),
		refusal(merge, event.MergePlayerSubject, "not_allowed", access.ErrForbidden.Message), // which admins may
		{DecisionID: ofAdmin.DecisionID, Command: event.BanPlayerSubject, TargetID: admin.ID, Code: "needs_admin",
			Message: access.ErrNeedsAdmin.Message},
	}, refused); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
	type row struct{ Actor, Action, DecisionID string }
	rows := pgtest.Rows[row](t, b.Pool, `
		select actor, action, decision_id from audit where actor_kind = 'player' order by id`)
	if diff := cmp.Diff([]row{
		{moderator.ID, "ban player", ban.DecisionID}, {moderator.ID, "unban player", unban.DecisionID},
	}, rows); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// The service ends a ban by itself.
func TestService_ends_bans(t *testing.T) {
	b := setup(t)
	b.startReplica()
	moderator, ann := b.register("Mo"), b.register("Ann")
	operator(t, b, "grant", "Mo", "moderator")
	ban := decide(moderator, "two accounts")
	b.SendCommand(event.BanPlayer{Attribution: ban, PlayerID: ann.ID, Until: time.Now().Add(time.Hour)})
	b.awaitState(ann.ID, func(s event.PlayerState) bool { return s.Banned })
	pgtest.Exec(t, b.Pool, `update players set ban_until = now() where banned`)
	b.startReplica() // a service looks for such bans when it starts, and then every 20 seconds
	b.awaitState(ann.ID, func(s event.PlayerState) bool { return !s.Banned && s.Version == 3 })
	fact := servicetest.AwaitFact[event.PlayerUnbanned](b.Servers, event.PlayerUnbannedSubject)
	if diff := cmp.Diff(event.PlayerUnbanned{
		PlayerID: ann.ID, Reason: "The time of the ban is over.", DecisionID: ban.DecisionID,
	}, fact); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
}
