package moderation

import (
	"errors"
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

// Decide returns the outcome of a decision about a thing as it is now. A request that is sent again gets the first
// decision, unless that is carried out and can be made again. It returns ErrCaseClosed, ErrCaseClaimed,
// ErrCaseNotClaimed, ErrCaseOpen, ErrMergeInto, ErrNotApplicable or access.ErrNeedsAdmin.
func (l Locked) Decide(by access.Attribution, thing Thing, overruled Conflict) (Change, error) {
	refusal := l.check(by.Actor, thing)
	if l.isRepetition(refusal != nil) {
		return Change{Decision: *l.Repeated, IsRepeated: true}, nil
	}
	if refusal != nil {
		return Change{}, refusal
	}
	d := l.lifting(l.Decision)
	c := l.begin(d, d.Commands(by))
	c.ClosesCase = d.CaseID != ""
	c.Entries = []access.Entry{{
		By: d.attribution(by), Action: access.Decide, Target: d.Subject.ID, After: d.note(overruled),
	}}
	return c, nil
}

// isRepetition reports whether the request was sent before and is answered with its first decision.
func (l Locked) isRepetition(isRefused bool) bool {
	r := l.Repeated
	return r != nil && (isRefused || r.State == Pending || !r.isSwitch())
}

// check returns why a decision cannot be made.
func (l Locked) check(by access.Actor, thing Thing) error {
	d := l.Decision
	switch {
	case l.Case != nil:
		if err := l.Case.checkDecider(d.ByID, d.At); err != nil {
			return err
		}
	case l.OpenCaseID != "":
		return ErrCaseOpen.WithData("_id", l.OpenCaseID)
	}
	switch {
	case d.Kind == Merge && d.IntoID == d.Subject.PlayerID:
		return ErrMergeInto
	case l.Player.Deleted && (d.Kind == Ban || d.Kind == Warn): // since the thing was read
		return ErrNotApplicable
	}
	return checkKind(by, thing, l.Case != nil, d.Kind)
}

// Undo returns the outcome of a decision that undoes another one about a thing as it is now. Where the time of a ban
// is over, the history alone is changed. appealID is the appeal that is answered by it, or empty. It returns
// ErrAppealAnswered, ErrDecisionFinal, ErrDecisionOvertaken or access.ErrNeedsAdmin.
func (l Locked) Undo(by access.Attribution, thing Thing, overruled Conflict, appealID string) (Change, error) {
	d, undone := l.Decision, *l.Undone
	r := l.Repeated
	switch {
	case r != nil && r.ByID == d.ByID && r.PublicReason == d.PublicReason && r.Text == d.Text:
		return Change{Decision: *r, IsRepeated: true}, nil
	case appealID != "" && (l.Appeal == nil || l.Appeal.ID != appealID):
		return Change{}, ErrAppealAnswered
	case !undone.IsUndoable(d.At, appealID != ""):
		return Change{}, ErrDecisionFinal
	}
	var commands []event.Command
	if !undone.isOver(d.At) {
		if err := l.checkNotOvertaken(by.Actor, thing); err != nil {
			return Change{}, err
		}
		d = l.lifting(d)
		commands = d.Commands(by)
	}
	c := l.begin(d, commands)
	after := noteOf(overruled, d.Subject.PlayerID)
	after["decision"] = d.Kind
	c.Entries = []access.Entry{{
		By: d.attribution(by), Action: access.UndoDecision, Target: d.Subject.ID,
		Before: map[string]any{"decision": undone.Kind, "decisionId": undone.ID}, After: after,
	}}
	if l.Appeal != nil {
		c.Answer = &AppealMessage{ID: d.ID, FromModerator: true, Text: d.Text, At: d.At}
		c.Entries = append(c.Entries, l.Appeal.entry(d.attribution(by), d.Subject.ID, AppealGranted))
	}
	return c, nil
}

// checkNotOvertaken returns ErrDecisionOvertaken where something newer holds instead of the decision that is undone, or
// access.ErrNeedsAdmin. A ban that has ended can be undone: the players service has nothing to change then.
func (l Locked) checkNotOvertaken(by access.Actor, thing Thing) error {
	undone := *l.Undone
	if slices.ContainsFunc(l.Later, undone.isOvertakenBy) {
		return ErrDecisionOvertaken
	}
	if p := thing.Player; undone.Kind == Ban {
		if p != nil && p.Ban != nil && p.Ban.DecisionID != undone.ID {
			return ErrDecisionOvertaken
		}
		return nil
	}
	if !undone.isSwitch() {
		return nil
	}
	err := checkKind(by, thing, false, l.Decision.Kind)
	if errors.Is(err, ErrNotApplicable) {
		return ErrDecisionOvertaken
	}
	return err
}

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
