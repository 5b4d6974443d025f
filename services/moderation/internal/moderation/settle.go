package moderation

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Settlement is what the owner of data says of a command.
type Settlement struct {
	DecisionID string
	// Command is the name of the command.
	Command string
	// Code and Message are those of a refusal, and empty for a command that was carried out.
	Code, Message string
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

// hiddenBefore returns the bans that hide records and were decided before a time.
func hiddenBefore(hidings []Hiding, at time.Time) (ids []string) {
	for _, h := range hidings {
		if h.State == CommandDone && h.At.Before(at) {
			ids = append(ids, h.DecisionID)
		}
	}
	return ids
}

// errHidingPending is returned where a ban ends before it has hidden the records. They are shown after that.
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
func BanEnded(ctx context.Context, store SettlementStore, s Settlement, playerID string) error {
	settled, err := store.Settle(ctx, s)
	if err != nil || settled {
		return err
	}
	return store.ShowAfterBan(ctx, playerID, AfterBan(s.DecisionID))
}

// AfterBan is why records are shown again without a decision. The id is that of the ban.
func AfterBan(decisionID string) access.Attribution {
	return access.Attribution{
		Actor: access.System(Service), Reason: "The ban that had hidden the records has ended.", DecisionID: decisionID,
	}
}

// Settle returns what becomes of a decision by what the owner of the data says of a command. It reports false where the
// decision does not wait for it.
func (l Locked) Settle(s Settlement) (Change, bool) {
	c := Change{Decision: l.Decision, Commands: slices.Clone(l.Commands)}
	i := slices.Index(l.Commands, Command{s.Command, CommandSent})
	if c.Decision.State != Pending || i < 0 {
		return Change{}, false
	}
	c.Commands[i].State = s.state()
	switch {
	case c.Commands[i].State == CommandRefused:
		return l.refuse(c, s), true
	case s.Command == event.UnbanPlayerSubject:
		c.Decision.Needless = c.Commands[i].State == CommandNeedless
	case s.Command == event.ShowPlayerSubject:
		c.Shown = hiddenBefore(l.Hidings, c.Decision.At)
	}
	if i++; i == len(c.Commands) {
		return l.carryOut(c), true
	}
	c.Commands[i].State, c.Send = CommandSent, c.Decision.Commands(access.Attribution{})[i]
	return c, true
}

// refuse returns the change by which a decision is refused. What it has closed is open again.
func (l Locked) refuse(c Change, s Settlement) Change {
	c.Decision.State, c.Decision.RefusalCode, c.Decision.RefusalMessage = Refused, s.Code, s.Message
	switch {
	case c.Decision.Undoes != "":
		c.TakesAnswerBack = l.Appeal != nil
	case c.Decision.CaseID != "":
		c.Reports = l.reopened()
	}
	return c
}
