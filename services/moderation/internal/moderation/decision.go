package moderation

import (
	"context"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// DecisionKind is what was decided, as the API names it.
type DecisionKind string

// The kinds of decisions.
const (
	Dismiss       DecisionKind = "dismiss"
	RemoveRecord  DecisionKind = "remove_record"
	RestoreRecord DecisionKind = "restore_record"
	RemoveMap     DecisionKind = "remove_map"
	RestoreMap    DecisionKind = "restore_map"
	UnrankMap     DecisionKind = "unrank_map"
	RankMap       DecisionKind = "rank_map"
	Warn          DecisionKind = "warn"
	Ban           DecisionKind = "ban"
	Unban         DecisionKind = "unban"
	Merge         DecisionKind = "merge"
	// Reopen and WithdrawWarning undo Dismiss and Warn.
	Reopen          DecisionKind = "reopen"
	WithdrawWarning DecisionKind = "withdraw_warning"
)

// inverses has the kind that undoes each kind. A merge has none, and what is made by undoing alone is not undone.
var inverses = map[DecisionKind]DecisionKind{
	Dismiss: Reopen, Warn: WithdrawWarning,
	RemoveRecord: RestoreRecord, RestoreRecord: RemoveRecord,
	RemoveMap: RestoreMap, RestoreMap: RemoveMap,
	UnrankMap: RankMap, RankMap: UnrankMap,
	Ban: Unban, Unban: Ban,
}

// punishments are the kinds against which there is an appeal.
var punishments = []DecisionKind{RemoveRecord, RemoveMap, UnrankMap, Warn, Ban}

// DecisionKinds lists the kinds of decisions.
var DecisionKinds = []DecisionKind{
	Dismiss, RemoveRecord, RestoreRecord, RemoveMap, RestoreMap, UnrankMap, RankMap, Warn, Ban, Unban, Merge, Reopen,
	WithdrawWarning,
}

// KindsOfReports are the kinds of decisions that only say what becomes of reports. The player does not see them.
var KindsOfReports = []DecisionKind{Dismiss, Reopen}

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
	ID      string
	Kind    DecisionKind
	Subject Subject
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

// DeskDecision is a decision as moderators see it.
type DeskDecision struct {
	Decision
	Undoable bool
}

func (d Decision) seenAt(now time.Time) DeskDecision {
	return DeskDecision{Decision: d, Undoable: d.isUndoable(now, false)}
}

// isUndoable reports whether a decision can be undone at a time, as far as itself tells. For an appeal it can be undone
// at any time.
func (d Decision) isUndoable(now time.Time, forAppeal bool) bool {
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
// inverse about the same thing, or about the same player for bans. What undoes another decision does not count.
func (d Decision) isOvertakenBy(other Decision) bool {
	isSame := d.Subject.ID == other.Subject.ID
	if d.Kind == Ban || d.Kind == Unban {
		isSame = d.Subject.PlayerID == other.Subject.PlayerID
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
	s := d.Subject
	return event.DecidedSubject{Kind: string(s.Kind), ID: s.ID, MapID: s.MapID, PlayerID: s.PlayerID}
}

// note returns what the audit log says of a decision.
func (d Decision) note(overruled Conflict) map[string]any {
	note := noteOf(overruled, d.Subject.PlayerID)
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

// DecisionStore stores decisions.
type DecisionStore interface {
	// Decision returns a decision, or ErrDecisionUnknown.
	Decision(ctx context.Context, id string) (Decision, error)
	// Decisions returns decisions by their ids.
	Decisions(ctx context.Context, ids []string) (map[string]Decision, error)
	// DecisionsOfCase and DecisionsAbout return the newest decisions of a case, and about a player.
	DecisionsOfCase(ctx context.Context, caseID string, limit int) ([]Decision, error)
	DecisionsAbout(ctx context.Context, playerID string, limit int) ([]Decision, error)
	// OwnDecisions is DecisionsAbout without those of KindsOfReports.
	OwnDecisions(ctx context.Context, playerID string, limit int) ([]Decision, error)
	// Decide locks what a decision is about, and stores what Undecided.Decide returns. It returns the decision as it is
	// then, an error of that method, ErrCaseUnknown or access.ErrDeleted.
	Decide(ctx context.Context, n NewDecision) (Decision, error)
	// Undo is Decide with Undoable.Undo. It returns ErrDecisionUnknown in place of ErrCaseUnknown.
	Undo(ctx context.Context, n NewDecision) (Decision, error)
}

// Decide decides a case that the actor has claimed, or about a subject where the caseID is empty. Only admins merge
// players. It returns an error of Undecided.Decide or of Choice.check, ErrCaseUnknown, ErrSubjectUnknown, or
// ErrConflict.
func (d *Desk) Decide(
	ctx context.Context, by access.Attribution, caseID string, about Subject, c Choice,
) (DeskDecision, error) {
	action := access.Decide
	if c.Kind == Merge {
		action = access.MergePlayer
	}
	_, by, err := access.Authorize(ctx, by, action, d.Things.Players.Get)
	if err != nil {
		return DeskDecision{}, err
	}
	if caseID != "" {
		file, err := d.file(ctx, caseID)
		if err != nil {
			return DeskDecision{}, err
		}
		about = file.Subject
	}
	if c, err = c.check(event.InMillis(d.Now())); err != nil {
		return DeskDecision{}, err
	}
	parties, err := d.parties(ctx, about.Kind, about.ID)
	if err != nil {
		return DeskDecision{}, err
	}
	if c.Kind == Merge {
		into, err := d.Things.Players.Get(ctx, c.IntoID) // who may have been merged since
		if err != nil {
			return DeskDecision{}, err
		}
		c.IntoID, parties.Others = into.ID, []string{into.ID}
	}
	overruled, err := checkConflict(by.Actor, parties, c.Override)
	if err != nil {
		return DeskDecision{}, err
	}
	decision := Decision{
		ID: d.NewID(), Kind: c.Kind, Subject: parties.Thing.Subject, ByID: by.Actor.ID, PublicReason: c.PublicReason,
		Text: c.Text, Until: c.Until, KeepRecords: c.KeepRecords, IntoID: c.IntoID, CaseID: caseID,
		At: event.InMillis(d.Now()),
	}
	stored, err := d.Decisions.Decide(ctx, NewDecision{
		Decision: decision, By: by, Thing: parties.Thing, Overruled: overruled,
	})
	if err != nil {
		return DeskDecision{}, err
	}
	return d.await(ctx, stored)
}

// await returns the decision when it is carried out or refused, or as it is after the last of d.Waits. What was decided
// stays decided also where the caller has left.
func (d *Desk) await(ctx context.Context, decision Decision) (DeskDecision, error) {
	for _, wait := range d.Waits {
		if decision.State != Pending {
			break
		}
		select {
		case <-ctx.Done():
			return decision.seenAt(d.Now()), nil
		case <-time.After(wait):
		}
		now, err := d.Decisions.Decision(ctx, decision.ID)
		if err != nil {
			return DeskDecision{}, err
		}
		decision = now
	}
	return decision.seenAt(d.Now()), nil
}

// Undo undoes a decision. It returns ErrDecisionUnknown, ErrConflict, or an error of Undoable.Undo or of Choice.check.
// Admins overrule a conflict of interest, except in what concerns themselves.
func (d *Desk) Undo(
	ctx context.Context, by access.Attribution, id string, reason access.PublicReason, text string,
) (DeskDecision, error) {
	_, by, err := access.Authorize(ctx, by, access.UndoDecision, d.Things.Players.Get)
	if err != nil {
		return DeskDecision{}, err
	}
	if !event.IsID(id) {
		return DeskDecision{}, ErrDecisionUnknown
	}
	undone, err := d.Decisions.Decision(ctx, id)
	if err != nil {
		return DeskDecision{}, err
	}
	return d.undo(ctx, by, undone, Choice{PublicReason: reason, Text: text}, "")
}

// undo undoes a decision. The appealID is the appeal that is answered by it, or empty.
func (d *Desk) undo(
	ctx context.Context, by access.Attribution, undone Decision, c Choice, appealID string,
) (DeskDecision, error) {
	c, err := c.check(event.InMillis(d.Now()))
	if err != nil {
		return DeskDecision{}, err
	}
	parties, err := d.reviewParties(ctx, undone)
	if err != nil {
		return DeskDecision{}, err
	}
	overruled, err := checkConflict(by.Actor, parties, true)
	if err != nil {
		return DeskDecision{}, err
	}
	// A map may have another author than when it was decided.
	thing, err := d.Things.concerning(ctx, parties.Thing, undone.Subject.PlayerID)
	if err != nil {
		return DeskDecision{}, err
	}
	undoing := Decision{
		ID: d.NewID(), Kind: inverses[undone.Kind], Subject: undone.Subject, ByID: by.Actor.ID,
		PublicReason: c.PublicReason, Text: c.Text, Until: undone.Until, KeepRecords: undone.KeepRecords,
		CaseID: undone.CaseID, Undoes: undone.ID, At: event.InMillis(d.Now()),
	}
	stored, err := d.Decisions.Undo(ctx, NewDecision{
		Decision: undoing, By: by, Thing: thing, Overruled: overruled, AppealID: appealID,
	})
	if err != nil {
		return DeskDecision{}, err
	}
	return d.await(ctx, stored)
}
