package moderation

import (
	"slices"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Changed is a report, a claim or an appeal after a change, with all that is stored in the same transaction.
type Changed[T any] struct {
	Value T
	// IsRepeated is true where the change was made before. There is nothing to store then.
	IsRepeated bool
	Facts      []event.Fact
	Entries    []access.Entry
}

// NewDecision is a decision that a moderator makes, also one that undoes another.
type NewDecision struct {
	// Decision has no state yet.
	Decision Decision
	By       access.Attribution
	// Thing is what it is about, as it is now.
	Thing Thing
	// Overruled is the conflict of interest that an admin overrules, or empty.
	Overruled Conflict
	// AppealID is the appeal that is granted by undoing a decision, or empty.
	AppealID string
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
	// Reports is what becomes of the reports of the case, or empty. MovedTo is the case to which they are moved.
	Reports ReportsChange
	MovedTo string
	// Appeal is the one that the decision grants, with the answer as its last message, or that is open again because the
	// decision is refused, or nil.
	Appeal *Appeal
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

// Involved is what a decision changes besides its subject.
type Involved struct {
	// Reporters have reported in the case of the decision.
	Reporters []string
	// OpenCaseID is another open case about the same thing, or empty.
	OpenCaseID string
	// Appeal is the open appeal against what the decision undoes, the one that the decision has granted, or nil.
	Appeal *Appeal
}

// begin returns a new decision whose first command is sent. One without commands is carried out.
func (i Involved) begin(d Decision, commands []event.Command) Change {
	d.State = Pending
	c := Change{Decision: d}
	for _, command := range commands {
		c.Commands = append(c.Commands, Command{command.Subject(), CommandWaiting})
	}
	if len(commands) == 0 {
		c.Decision.Needless = d.Kind == Ban || d.Kind == Unban
		return i.carryOut(c)
	}
	c.Commands[0].State, c.Send = CommandSent, commands[0]
	return c
}

// carryOut returns the change by which a decision is carried out. The reports of its case are closed, and those whom it
// concerns are told: its player, the reporters unless it undoes another decision, and whose appeal it grants.
func (i Involved) carryOut(c Change) Change {
	c.Decision.State = CarriedOut
	d, subject := c.Decision, c.Decision.subject()
	switch {
	case d.CaseID == "":
	case d.Kind == Reopen:
		c = i.reopen(c)
	case d.Confirms():
		c.Reports = ReportsConfirmed
	default:
		c.Reports = ReportsRejected
	}
	if d.CaseID != "" && d.Undoes == "" {
		for some := range slices.Chunk(i.Reporters, event.MaxReceivers) {
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
	if a := i.Appeal; a != nil {
		c.Facts = append(c.Facts, event.AppealAnswered{
			AppealID: a.ID, DecisionID: d.Undoes, PlayerID: a.PlayerID, Decided: subject, Granted: true, At: d.At,
		})
	}
	return c
}

// reopen returns the change with the reports of the decision's case open again.
func (i Involved) reopen(c Change) Change {
	c.Reports = ReportsReopened
	if i.OpenCaseID != "" {
		c.Reports, c.MovedTo = ReportsMoved, i.OpenCaseID
	}
	return c
}
