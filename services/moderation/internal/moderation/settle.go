package moderation

import (
	"context"
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

// Settlement is what the owner of data says of a command.
type Settlement struct {
	DecisionID string
	// Command is the name of the command.
	Command string
	// Code and Message are those of a refusal, and empty for a command that was carried out.
	Code, Message string
	// At is when the owner has said so.
	At time.Time
}

// state returns what became of the command. It is needless where the change was made before: the records of a player
// who is banned may have been hidden already, and a ban may have ended before it is lifted.
func (s Settlement) state() CommandState {
	switch s.Code {
	case "":
		return CommandDone
	case "already_hidden", "not_hidden", "not_banned":
		return CommandNeedless
	}
	return CommandRefused
}

// Settlements are the commands that each fact reports as carried out. The end of a ban is settled by BanEnded.
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
	event.PlayerMergedSubject:   event.MergePlayerSubject,
}

// Hiding is a ban that hides the records of its player, or is about to.
type Hiding struct {
	DecisionID string
	At         time.Time
	State      CommandState
}

// Hidings are those of a player, in the order of the decisions.
type Hidings []Hiding

// doneBefore returns the bans that hide records and were decided before a time.
func (h Hidings) doneBefore(at time.Time) (ids []string) {
	for _, hiding := range h {
		if hiding.State == CommandDone && hiding.At.Before(at) {
			ids = append(ids, hiding.DecisionID)
		}
	}
	return ids
}

// End returns the bans that hide no records any longer, with the command that shows the records, as the ban of an
// attribution has ended, or every ban where that names none. A ban that was decided later stays. It returns
// errHidingPending.
func (h Hidings) End(by access.Attribution, playerID string) (ids []string, show event.ShowPlayer, err error) {
	last := len(h) - 1
	if by.DecisionID != "" {
		last = slices.IndexFunc(h, func(hiding Hiding) bool { return hiding.DecisionID == by.DecisionID })
	}
	for _, hiding := range h[:last+1] {
		if hiding.State != CommandDone {
			return nil, event.ShowPlayer{}, errHidingPending
		}
		by.DecisionID = hiding.DecisionID
		ids = append(ids, hiding.DecisionID)
	}
	return ids, event.ShowPlayer{Attribution: by, PlayerID: playerID}, nil
}

// withHidings returns an unban that keeps records where no ban hides them. Other decisions stay as they are.
func (d Decision) withHidings(hidings Hidings) Decision {
	if d.Kind == Unban {
		d.KeepRecords = len(hidings) == 0
	}
	return d
}

// SettlementStore stores what became of commands.
type SettlementStore interface {
	// Settle stores what Unsettled.Settle returns. It reports whether a decision waited for the command.
	Settle(ctx context.Context, s Settlement) (bool, error)
	// ShowAfterBan stores what Hidings.End returns, and sends the command. It returns an error of Hidings.End.
	ShowAfterBan(ctx context.Context, by access.Attribution, playerID string) error
}

// Settle settles a decision. A change without one is none of the moderators'. It reports whether a decision waited for
// the command.
func Settle(ctx context.Context, store SettlementStore, s Settlement) (bool, error) {
	if !event.IsID(s.DecisionID) {
		return false, nil
	}
	return store.Settle(ctx, s)
}

// BanEnded shows the records of a player again whose ban has ended, unless a decision ends it, which shows them itself.
func BanEnded(ctx context.Context, store SettlementStore, s Settlement, playerID string) error {
	settled, err := Settle(ctx, store, s)
	if err != nil || settled {
		return err
	}
	return store.ShowAfterBan(ctx, AfterBan(s.DecisionID), playerID)
}

// AfterBan is why records are shown again without a decision. The id is that of the ban.
func AfterBan(decisionID string) access.Attribution {
	return access.Attribution{
		Actor: access.System(Service), Reason: "The ban that had hidden the records has ended.", DecisionID: decisionID,
	}
}

// Unsettled is a decision that waits for a command, with all that its outcome depends on. Locks keep it from changing
// until that is stored.
type Unsettled struct {
	Decision Decision
	Commands []Command
	// Hidings are the bans that an unban lifts.
	Hidings Hidings
	Involved
}

// Settle returns what becomes of the decision by what the owner of the data says of a command. It reports false where
// the decision does not wait for it.
func (u Unsettled) Settle(s Settlement) (Change, bool) {
	c := Change{Decision: u.Decision, Commands: slices.Clone(u.Commands)}
	i := slices.Index(u.Commands, Command{s.Command, CommandSent})
	if c.Decision.State != Pending || i < 0 {
		return Change{}, false
	}
	c.Commands[i].State = s.state()
	switch {
	case c.Commands[i].State == CommandRefused:
		return u.refuse(c, s), true
	case s.Command == event.UnbanPlayerSubject:
		c.Decision.Needless = c.Commands[i].State == CommandNeedless
	case s.Command == event.ShowPlayerSubject:
		c.Shown = u.Hidings.doneBefore(c.Decision.At)
	}
	if i++; i == len(c.Commands) {
		return u.carryOut(c), true
	}
	c.Commands[i].State, c.Send = CommandSent, c.Decision.Commands(access.Attribution{})[i]
	return c, true
}

// refuse returns the change by which the decision is refused. What it has closed is open again.
func (u Unsettled) refuse(c Change, s Settlement) Change {
	c.Decision.State, c.Decision.RefusalCode, c.Decision.RefusalMessage = Refused, s.Code, s.Message
	switch {
	case u.Appeal != nil:
		c.Appeal = new(u.Appeal.reopened(u.Decision.ID, s.At))
	case u.Decision.Undoes == "" && u.Decision.CaseID != "":
		c = u.reopen(c)
	}
	return c
}
