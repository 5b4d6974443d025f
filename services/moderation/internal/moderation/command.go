package moderation

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// CommandState is what became of a command.
type CommandState string

// The states of commands. One is sent when the one before is done. A hiding is over when the records are shown again.
const (
	CommandWaiting CommandState = "waiting"
	CommandSent    CommandState = "sent"
	CommandDone    CommandState = "done"
	// CommandNeedless is the state of a command that had nothing to change.
	CommandNeedless CommandState = "needless"
	CommandRefused  CommandState = "refused"
	CommandOver     CommandState = "over"
)

// Command is one of those that carry a decision out.
type Command struct {
	Subject string
	State   CommandState
}

// Commands returns what carries a decision out, in order: the second is sent when the first is carried out, by the
// service itself, so that it is not refused to a moderator who has lost the role meanwhile.
func (d Decision) Commands(by access.Attribution) []event.Command {
	by = d.attribution(by)
	second := by
	second.Actor = access.System(Service)
	hide := event.HidePlayer{Attribution: second, PlayerID: d.PlayerID}
	switch d.Kind {
	case RemoveRecord:
		return []event.Command{event.RemoveRecord{Attribution: by, RecordID: d.Subject.ID}}
	case RestoreRecord:
		return []event.Command{event.RestoreRecord{Attribution: by, RecordID: d.Subject.ID}}
	case RemoveMap:
		return []event.Command{event.RemoveMap{Attribution: by, MapID: d.Subject.ID}}
	case RestoreMap:
		return []event.Command{event.RestoreMap{Attribution: by, MapID: d.Subject.ID}}
	case UnrankMap:
		return []event.Command{event.UnrankMap{Attribution: by, MapID: d.Subject.ID}}
	case RankMap:
		return []event.Command{event.RankMap{Attribution: by, MapID: d.Subject.ID}}
	case Ban:
		ban := event.BanPlayer{Attribution: by, PlayerID: d.PlayerID, Until: d.Until}
		if d.KeepRecords {
			return []event.Command{ban}
		}
		return []event.Command{ban, hide}
	case Unban:
		unban := event.UnbanPlayer{Attribution: by, PlayerID: d.PlayerID}
		if d.KeepRecords {
			return []event.Command{unban}
		}
		return []event.Command{unban, event.ShowPlayer(hide)}
	case Merge:
		return []event.Command{event.MergePlayer{Attribution: by, PlayerID: d.PlayerID, IntoID: d.IntoID}}
	case Dismiss, Warn, Reopen, WithdrawWarning:
	}
	return nil
}

// Settlement is what the owner of data says of a command.
type Settlement struct {
	DecisionID string
	// Command is the subject of the command.
	Command string
	// Code and Message are those of a refusal, and empty for a command that was carried out.
	Code, Message string
}

// state returns what became of the command. One that would change what is so already is needless: the records of a
// player who is banned may have been hidden before, and a ban may have ended before it is lifted.
func (s Settlement) state() CommandState {
	switch s.Code {
	case "":
		return CommandDone
	case "already_hidden", "not_hidden", "not_banned":
		return CommandNeedless
	}
	return CommandRefused
}

// Settlements are the commands that each fact reports as carried out.
var Settlements = map[string]string{
	event.RecordRemovedSubject:  event.RemoveRecordSubject,
	event.RecordRestoredSubject: event.RestoreRecordSubject,
	event.RecordsHiddenSubject:  event.HidePlayerSubject,
	event.RecordsShownSubject:   event.ShowPlayerSubject,
	event.MapRemovedSubject:     event.RemoveMapSubject,
	event.MapRestoredSubject:    event.RestoreMapSubject,
	event.MapUnrankedSubject:    event.UnrankMapSubject,
	event.MapRankedSubject:      event.RankMapSubject,
	event.PlayerBannedSubject:   event.BanPlayerSubject,
	event.PlayerUnbannedSubject: event.UnbanPlayerSubject,
	event.PlayerMergedSubject:   event.MergePlayerSubject,
}

// Hiding is a ban that hides the records of its player, or is about to.
type Hiding struct {
	DecisionID string
	At         time.Time
	State      CommandState
}

// hiddenBefore returns the bans that hide records and were decided before a time.
func hiddenBefore(hidings []Hiding, at time.Time) (ids []string) {
	for _, h := range hidings {
		if h.State == CommandDone && h.At.Before(at) {
			ids = append(ids, h.DecisionID)
		}
	}
	return ids
}

// errHidingPending is returned where a ban ends that is about to hide records. They are shown after that.
var errHidingPending = errors.New("the records of the player are not hidden yet")

// EndedHidings returns the bans that hide no records any longer, as the ban of a decision has ended, or every ban where
// the id is empty. A ban that was decided later stays. Hidings are in the order of the decisions.
func EndedHidings(hidings []Hiding, decisionID string) (ids []string, err error) {
	last := len(hidings) - 1
	if decisionID != "" {
		last = slices.IndexFunc(hidings, func(h Hiding) bool { return h.DecisionID == decisionID })
	}
	for _, h := range hidings[:last+1] {
		if h.State != CommandDone {
			return nil, errHidingPending
		}
		ids = append(ids, h.DecisionID)
	}
	return ids, nil
}

// SettlementStore stores what became of commands.
type SettlementStore interface {
	// Settle stores what Locked.Settle returns. It reports whether a decision waited for the command.
	Settle(ctx context.Context, s Settlement) (bool, error)
	// ShowAfterBan shows the records again that the bans of EndedHidings have hidden. The decision of the attribution is
	// the ban that has ended, or empty.
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
