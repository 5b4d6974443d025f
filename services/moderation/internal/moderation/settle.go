package moderation

import (
	"context"

	"capzone.dev/platform/access"
)

// Settlement is what the owner of data says of a command.
type Settlement struct {
	DecisionID string
	// Command is the subject of the command.
	Command string
	// Code and Message are those of a refusal, and empty for a command that was carried out.
	Code, Message string
}

// IsRefused reports whether the command did not do what was decided. One that would change what is so already is
// needless. The records of a player who is banned may have been hidden before, and a ban may have ended before it is
// lifted.
func (s Settlement) IsRefused() bool {
	return s.Code != "" && !s.IsNeedless()
}

// IsNeedless reports whether the command had nothing to change.
func (s Settlement) IsNeedless() bool {
	return s.Code == "already_hidden" || s.Code == "not_hidden" || s.Code == "not_banned"
}

// SettlementStore stores what became of commands.
type SettlementStore interface {
	// Settle stores what became of the command of a decision that waits for it, and sends the next command. After the last
	// one the decision is carried out, and after a refusal it is refused. It reports whether a decision waited for it.
	Settle(ctx context.Context, s Settlement) (bool, error)
	// ShowAfterBan shows the records of a player again that a ban has hidden, or is about to hide. The decision of the
	// attribution is the one that has ended, or whose ban has, and empty for another end. What a later ban than that has
	// hidden stays hidden.
	ShowAfterBan(ctx context.Context, playerID string, by access.Attribution) error
}

// BanEnded shows the records of a player again whose ban has ended, unless a decision ends it, which shows them itself.
func BanEnded(ctx context.Context, store SettlementStore, s Settlement, playerID, service string) error {
	settled, err := store.Settle(ctx, s)
	if err != nil || settled {
		return err
	}
	return store.ShowAfterBan(ctx, playerID, AfterBan(service, s.DecisionID))
}

// AfterBan is why records are shown again without a decision. The id is that of the ban.
func AfterBan(service, decisionID string) access.Attribution {
	return access.Attribution{
		Actor: access.System(service), Reason: "The ban that had hidden the records has ended.", DecisionID: decisionID,
	}
}
