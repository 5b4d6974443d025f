package moderation

import (
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// DecisionState is whether a decision is carried out.
type DecisionState string

// The states of decisions. A decision is pending until its last command is carried out, or one is refused.
const (
	Pending    DecisionState = "pending"
	CarriedOut DecisionState = "carried_out"
	Refused    DecisionState = "refused"
)

// undoPeriod is how long a decision can be undone.
const undoPeriod = 365 * day

// Decision is what the moderators have decided.
type Decision struct {
	ID   string
	Kind DecisionKind
	Subject
	// ByID is the moderator.
	ByID         string
	PublicReason access.PublicReason
	Text         string
	State        DecisionState
	// RefusalCode and RefusalMessage are why the owner of the data has refused it.
	RefusalCode, RefusalMessage string
	// Until is when a ban ends by itself, or the zero value.
	Until       time.Time
	KeepRecords bool
	// IntoID is whom the player is merged into.
	IntoID string
	CaseID string
	// Undoes is the decision that this one undoes, and UndoneBy the one that has undone it, which is not refused.
	Undoes, UndoneBy string
	// Needless is true of a ban or unban that had nothing to change: the ban was over, or was lifted already.
	Needless bool
	At       time.Time
}

// IsUndoable reports whether a decision can be undone at a time, as far as itself tells. For an appeal it can be undone
// at any time.
func (d Decision) IsUndoable(now time.Time, forAppeal bool) bool {
	return d.State == CarriedOut && d.UndoneBy == "" && !d.Needless && inverses[d.Kind] != "" &&
		(forAppeal || now.Before(d.At.Add(undoPeriod)))
}

// isSwitch reports whether a decision has set a state that a later one sets back, so that only the last of several
// holds. Each dismissal and warning stands alone.
func (d Decision) isSwitch() bool { return d.Kind != Dismiss && d.Kind != Warn }

// isOver reports whether the time of a ban is over, also of one that the decision has lifted.
func (d Decision) isOver(now time.Time) bool {
	return (d.Kind == Ban || d.Kind == Unban) && !d.Until.IsZero() && !now.Before(d.Until)
}

// isOvertakenBy reports whether another decision holds instead of the decision: a later one of the same kind or its
// inverse about the same thing, or about the same player for bans. What undoes another decision is judged by that one.
func (d Decision) isOvertakenBy(other Decision) bool {
	isSame := d.Subject.ID == other.Subject.ID
	if d.Kind == Ban || d.Kind == Unban {
		isSame = d.PlayerID == other.PlayerID
	}
	return d.isSwitch() && isSame && other.At.After(d.At) && (other.Kind == d.Kind || other.Kind == inverses[d.Kind]) &&
		other.State != Refused && other.Undoes == "" && other.UndoneBy == ""
}

// Confirms reports whether a decision confirms what was reported.
func (d Decision) Confirms() bool {
	if d.Undoes == "" {
		return d.Kind != Dismiss
	}
	return slices.Contains(punishments, d.Kind)
}

// ConcernsSubject reports whether a decision gave its subject something or took it away.
func (d Decision) ConcernsSubject() bool { return !slices.Contains(KindsOfReports, d.Kind) }

// IsAppealable reports whether there is an appeal against a decision.
func (d Decision) IsAppealable() bool {
	return d.State == CarriedOut && d.UndoneBy == "" && slices.Contains(punishments, d.Kind)
}

// attribution returns who makes the decision and why, for its commands and the audit log.
func (d Decision) attribution(by access.Attribution) access.Attribution {
	by.Reason, by.PublicReason, by.DecisionID = access.Reason(d.Text), d.PublicReason, d.ID
	return by
}

// subject returns what was decided about, as facts name it.
func (d Decision) subject() event.DecidedSubject {
	return event.DecidedSubject{Kind: string(d.Subject.Kind), ID: d.Subject.ID, MapID: d.MapID, PlayerID: d.PlayerID}
}

// note returns what the audit log says of a decision.
func (d Decision) note(overruled Conflict) map[string]any {
	note := noteOf(overruled, d.PlayerID)
	note["decision"] = d.Kind
	if d.CaseID != "" {
		note["caseId"] = d.CaseID
	}
	if d.Kind == Ban {
		note["keepRecords"] = d.KeepRecords
	}
	if !d.Until.IsZero() {
		note["until"] = d.Until
	}
	if d.IntoID != "" {
		note["intoId"] = d.IntoID
	}
	return note
}

// Locked is all that decides what becomes of a decision, read under locks by which none of it changes.
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

// Change is what becomes of a decision. It is stored in one transaction.
type Change struct {
	Decision Decision
	// IsRepeated is true where the decision was made before. There is nothing to store then.
	IsRepeated bool
	Commands   []Command
	// Send is the command that is sent now, or nil.
	Send    event.Command
	Facts   []event.Fact
	Entries []Entry
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

// Decide returns what becomes of a decision about a thing as it is now. A request that is sent again is answered by the
// first decision, unless that is carried out and applies again. It returns ErrCaseClosed, ErrCaseClaimed,
// ErrCaseNotClaimed, ErrCaseOpen, ErrMergeInto, ErrNotApplicable or ErrBanAdminsOnly.
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
	c.Entries = []Entry{{By: d.attribution(by), Action: access.Decide, TargetID: d.Subject.ID, After: d.note(overruled)}}
	return c, nil
}

// isRepetition reports whether the first decision of a request that is sent again is its answer.
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
	case d.Kind == Merge && d.IntoID == d.PlayerID:
		return ErrMergeInto
	case l.Player.Deleted && (d.Kind == Ban || d.Kind == Warn): // since the thing was read
		return ErrNotApplicable
	}
	return checkKind(by, thing, l.Case != nil, d.Kind)
}

// Undo returns what becomes of a decision that undoes another one about a thing as it is now. Where the time of a ban
// is over, the history alone is changed. appealID is the appeal that is answered by it, or empty. It returns
// ErrAppealAnswered, ErrDecisionFinal, ErrDecisionOvertaken or ErrBanAdminsOnly.
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
	after := noteOf(overruled, d.PlayerID)
	after["decision"] = d.Kind
	c.Entries = []Entry{{
		By: d.attribution(by), Action: access.UndoDecision, TargetID: d.Subject.ID,
		Before: map[string]any{"decision": undone.Kind, "decisionId": undone.ID}, After: after,
	}}
	if l.Appeal != nil {
		c.Answer = &AppealMessage{ID: d.ID, FromModerator: true, Text: d.Text, At: d.At}
		c.Entries = append(c.Entries, l.Appeal.entry(d.attribution(by), d.Subject.ID, AppealGranted))
	}
	return c, nil
}

// checkNotOvertaken returns ErrDecisionOvertaken where something newer holds instead of the decision that is undone, or
// ErrBanAdminsOnly. That a ban has ended is known by the owner, who has nothing to change then.
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

// judgement returns what becomes of the reports of the decision's case when it is carried out.
func (l Locked) judgement() ReportsChange {
	switch {
	case l.Decision.Kind == Reopen:
		return l.reopened()
	case l.Decision.Confirms():
		return ReportsConfirmed
	}
	return ReportsRejected
}

// reopened returns what becomes of the reports of the decision's case where they are to be judged again.
func (l Locked) reopened() ReportsChange {
	if l.OpenCaseID != "" {
		return ReportsMoved
	}
	return ReportsReopened
}

// carryOut returns the change by which a decision is carried out. The reports of its case are judged, and those whom it
// concerns are told: its player, the reporters unless it undoes another decision, and whose appeal it grants.
func (l Locked) carryOut(c Change) Change {
	c.Decision.State = CarriedOut
	d, decided := c.Decision, c.Decision.subject()
	if d.CaseID != "" {
		c.Reports = l.judgement()
	}
	if d.CaseID != "" && d.Undoes == "" {
		for some := range slices.Chunk(l.Reporters, event.MaxReceivers) {
			c.Facts = append(c.Facts, event.ReportClosed{
				DecisionID: d.ID, ReporterIDs: some, Decided: decided, Kind: string(d.Kind),
				PublicReason: string(d.PublicReason), Confirmed: d.Confirms(), At: d.At,
			})
		}
	}
	if d.PlayerID != "" && d.ConcernsSubject() {
		c.Facts = append(c.Facts, event.ModerationDecided{
			DecisionID: d.ID, PlayerID: d.PlayerID, Decided: decided, Kind: string(d.Kind),
			PublicReason: string(d.PublicReason), At: d.At,
		})
	}
	if a := l.Appeal; a != nil {
		c.Facts = append(c.Facts, event.AppealAnswered{
			AppealID: a.ID, DecisionID: d.Undoes, PlayerID: a.PlayerID, Decided: decided, Granted: true, At: d.At,
		})
	}
	return c
}
