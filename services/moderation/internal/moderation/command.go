package moderation

import (
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
	// Name is the NATS subject of the command.
	Name  string
	State CommandState
}

// Commands returns what carries a decision out, in order: the second is sent when the first is carried out, by the
// service itself, so that it is not refused to a moderator who has lost the role meanwhile.
func (d Decision) Commands(by access.Attribution) []event.Command {
	by = d.attribution(by)
	second := by
	second.Actor = access.System(Service)
	hide := event.HidePlayer{Attribution: second, PlayerID: d.Subject.PlayerID}
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
		ban := event.BanPlayer{Attribution: by, PlayerID: d.Subject.PlayerID, Until: d.Until}
		if d.KeepRecords {
			return []event.Command{ban}
		}
		return []event.Command{ban, hide}
	case Unban:
		unban := event.UnbanPlayer{Attribution: by, PlayerID: d.Subject.PlayerID}
		if d.KeepRecords {
			return []event.Command{unban}
		}
		return []event.Command{unban, event.ShowPlayer(hide)}
	case Merge:
		return []event.Command{event.MergePlayer{Attribution: by, PlayerID: d.Subject.PlayerID, IntoID: d.IntoID}}
	case Dismiss, Warn, Reopen, WithdrawWarning:
	}
	return nil
}
