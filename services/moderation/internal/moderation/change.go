package moderation

import (
	"slices"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Locked is all that the outcome of a decision depends on. Locks keep it from changing until the outcome is stored.
type Locked struct {
	// Decision is the one that is made, with whom its players were merged into, or the one that a command belongs to.
	Decision Decision
	// Commands are those of a decision that was made before.
	Commands []Command
	// Case is that of the decision, or nil, with who has reported.
	Case      *Case
	Reporters []string
	// OpenCaseID is another open case about the same thing, or empty.
	OpenCaseID string
	// Player is whom the decision concerns, or the zero value.
	Player Player
	// Hidings are the bans of an unban's player that hide records, in the order of the decisions.
	Hidings []Hiding
	// Repeated is the decision that the same request has made before, or nil.
	Repeated *Decision
	// Undone is the decision that is undone, or nil. Later are the ones of its kind or the inverse that came after it,
	// about the same thing or the same player.
	Undone *Decision
	Later  []Decision
	// Appeal is the open appeal against the decision that is undone, the one that the decision has granted, or nil.
	Appeal *Appeal
}

// Change is the outcome of a decision. It is stored in one transaction.
type Change struct {
	Decision Decision
	// IsRepeated is true where the decision was made before. There is nothing to store then.
	IsRepeated bool
	Commands   []Command
	// Send is the command that is sent now, or nil.
	Send    event.Command
	Facts   []event.Fact
	Entries []access.Entry
	// ClosesCase is true for the decision that closes its case.
	ClosesCase bool
	// Reports is what becomes of the reports of the case, or empty.
	Reports ReportsChange
	// Answer grants the appeal of Locked, or is nil. TakesAnswerBack is true where that appeal is open again.
	Answer          *AppealMessage
	TakesAnswerBack bool
	// Shown are the decisions of bans that hide no records any longer.
	Shown []string
}

// ReportsChange is what becomes of the reports and flags of a case.
type ReportsChange string

// The changes of reports and flags.
const (
	// ReportsConfirmed and ReportsRejected close them.
	ReportsConfirmed ReportsChange = "confirmed"
	ReportsRejected  ReportsChange = "rejected"
	// ReportsReopened takes that back, and opens their case again. ReportsMoved moves them to the case that was
	// opened about the same thing meanwhile.
	ReportsReopened ReportsChange = "reopened"
	ReportsMoved    ReportsChange = "moved"
)

// lifting returns an unban with the end of the ban that it lifts, and with whether it shows records. Other decisions
// stay as they are.
func (l Locked) lifting(d Decision) Decision {
	if d.Kind != Unban {
		return d
	}
	if l.Player.Ban != nil {
		d.Until = l.Player.Ban.Until
	}
	d.KeepRecords = len(l.Hidings) == 0
	return d
}

// begin returns a new decision whose first command is sent. One without commands is carried out.
func (l Locked) begin(d Decision, commands []event.Command) Change {
	d.State = Pending
	c := Change{Decision: d}
	for _, command := range commands {
		c.Commands = append(c.Commands, Command{command.Subject(), CommandWaiting})
	}
	if len(commands) == 0 {
		c.Decision.Needless = d.Kind == Ban || d.Kind == Unban
		return l.carryOut(c)
	}
	c.Commands[0].State, c.Send = CommandSent, commands[0]
	return c
}

// carryOut returns the change by which a decision is carried out. The reports of its case are closed, and those whom it
// concerns are told: its player, the reporters unless it undoes another decision, and whose appeal it grants.
func (l Locked) carryOut(c Change) Change {
	c.Decision.State = CarriedOut
	d, subject := c.Decision, c.Decision.subject()
	if d.CaseID != "" {
		c.Reports = l.reportsChange()
	}
	if d.CaseID != "" && d.Undoes == "" {
		for some := range slices.Chunk(l.Reporters, event.MaxReceivers) {
			c.Facts = append(c.Facts, event.ReportClosed{
				DecisionID: d.ID, ReporterIDs: some, Decided: subject, Kind: string(d.Kind),
				PublicReason: string(d.PublicReason), Confirmed: d.Confirms(), At: d.At,
			})
		}
	}
	if d.Subject.PlayerID != "" && d.ConcernsSubject() {
		c.Facts = append(c.Facts, event.ModerationDecided{
			DecisionID: d.ID, PlayerID: d.Subject.PlayerID, Decided: subject, Kind: string(d.Kind),
			PublicReason: string(d.PublicReason), At: d.At,
		})
	}
	if a := l.Appeal; a != nil {
		c.Facts = append(c.Facts, event.AppealAnswered{
			AppealID: a.ID, DecisionID: d.Undoes, PlayerID: a.PlayerID, Decided: subject, Granted: true, At: d.At,
		})
	}
	return c
}

// reportsChange returns what becomes of the reports of the decision's case when it is carried out.
func (l Locked) reportsChange() ReportsChange {
	switch {
	case l.Decision.Kind == Reopen:
		return l.reopened()
	case l.Decision.Confirms():
		return ReportsConfirmed
	}
	return ReportsRejected
}

// reopened returns what becomes of the reports of the decision's case where they are open again.
func (l Locked) reopened() ReportsChange {
	if l.OpenCaseID != "" {
		return ReportsMoved
	}
	return ReportsReopened
}
