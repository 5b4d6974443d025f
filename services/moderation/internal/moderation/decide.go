package moderation

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// DecideCase decides a case that the actor has claimed. It returns an error of Locked.Decide or of Choice.check,
// ErrCaseUnknown or ErrConflict.
func (d *Desk) DecideCase(ctx context.Context, by access.Actor, caseID string, c Choice) (Decision, error) {
	by, err := d.authorizeDecision(ctx, by, c.Kind)
	if err != nil {
		return Decision{}, err
	}
	file, err := d.file(ctx, caseID)
	if err != nil {
		return Decision{}, err
	}
	return d.decide(ctx, by, file.Subject, file.ID, c)
}

// Decide decides about a thing without a case. It returns an error of Locked.Decide or of Choice.check,
// ErrSubjectUnknown or ErrConflict.
func (d *Desk) Decide(ctx context.Context, by access.Actor, kind SubjectKind, id string, c Choice) (Decision, error) {
	by, err := d.authorizeDecision(ctx, by, c.Kind)
	if err != nil {
		return Decision{}, err
	}
	return d.decide(ctx, by, Subject{Kind: kind, ID: id}, "", c)
}

// authorizeDecision returns who makes a decision. Only admins merge players.
func (d *Desk) authorizeDecision(ctx context.Context, by access.Actor, kind DecisionKind) (access.Actor, error) {
	by, err := authorize(ctx, by, access.Decide, d.Things.Players)
	if err == nil && kind == Merge {
		err = by.Require(access.MergePlayer)
	}
	return by, err
}

// decide decides about a subject. The caseID is empty without a case.
func (d *Desk) decide(
	ctx context.Context, by access.Actor, about Subject, caseID string, c Choice,
) (Decision, error) {
	c, err := c.check(d.Now())
	if err != nil {
		return Decision{}, err
	}
	parties, err := d.parties(ctx, about.Kind, about.ID)
	if err != nil {
		return Decision{}, err
	}
	if c.Kind == Merge {
		into, err := d.Things.Players.Get(ctx, c.IntoID) // who may have been merged since
		if err != nil {
			return Decision{}, err
		}
		c.IntoID, parties.Others = into.ID, []string{into.ID}
	}
	overruled, err := checkConflict(by, parties, c.Override)
	if err != nil {
		return Decision{}, err
	}
	asked := Decision{
		ID: d.NewID(), Kind: c.Kind, Subject: parties.Thing.Subject, ByID: by.ID, PublicReason: c.PublicReason,
		Text: c.Text, Until: c.Until, KeepRecords: c.KeepRecords, IntoID: c.IntoID, CaseID: caseID, At: d.Now(),
	}
	stored, err := d.Decisions.Decide(ctx, asked, func(l Locked) (Change, error) {
		return l.Decide(access.Attribution{Actor: by}, parties.Thing, overruled)
	})
	if err != nil {
		return Decision{}, err
	}
	return d.await(ctx, stored)
}

// RepeatPeriod is how long a decision that is sent again is taken for a repetition, because its answer was lost.
const RepeatPeriod = time.Hour

// Undo undoes a decision. It returns ErrDecisionUnknown, ErrConflict, or an error of Locked.Undo or of Choice.check.
// Admins overrule a conflict of interest, except in what concerns themselves.
func (d *Desk) Undo(
	ctx context.Context, by access.Actor, id string, reason access.PublicReason, text string,
) (Decision, error) {
	by, err := authorize(ctx, by, access.UndoDecision, d.Things.Players)
	if err != nil {
		return Decision{}, err
	}
	if !event.IsID(id) {
		return Decision{}, ErrDecisionUnknown
	}
	undone, err := d.Decisions.Decision(ctx, id)
	if err != nil {
		return Decision{}, err
	}
	return d.undo(ctx, by, undone, Choice{PublicReason: reason, Text: text}, "")
}

// undo undoes a decision. The appealID is the appeal that is answered by it, or empty.
func (d *Desk) undo(
	ctx context.Context, by access.Actor, undone Decision, c Choice, appealID string,
) (Decision, error) {
	c, err := c.check(d.Now())
	if err != nil {
		return Decision{}, err
	}
	parties, err := d.reviewParties(ctx, undone)
	if err != nil {
		return Decision{}, err
	}
	overruled, err := checkConflict(by, parties, true)
	if err != nil {
		return Decision{}, err
	}
	// A map may have another author than when it was decided.
	thing, err := d.Things.concerning(ctx, parties.Thing, undone.Subject.PlayerID)
	if err != nil {
		return Decision{}, err
	}
	asked := Decision{
		ID: d.NewID(), Kind: inverses[undone.Kind], Subject: undone.Subject, ByID: by.ID,
		PublicReason: c.PublicReason, Text: c.Text, Until: undone.Until, KeepRecords: undone.KeepRecords,
		CaseID: undone.CaseID, Undoes: undone.ID, At: d.Now(),
	}
	stored, err := d.Decisions.Decide(ctx, asked, func(l Locked) (Change, error) {
		return l.Undo(access.Attribution{Actor: by}, thing, overruled, appealID)
	})
	if err != nil {
		return Decision{}, err
	}
	return d.await(ctx, stored)
}

// reviewParties returns what a decision was made about, for who undoes it or answers an appeal against it.
func (d *Desk) reviewParties(ctx context.Context, about Decision) (Parties, error) {
	parties, err := d.parties(ctx, about.Subject.Kind, about.Subject.ID)
	parties.Others, parties.IsReview = []string{about.Subject.PlayerID}, true
	return parties, err
}

// await returns the decision when it is carried out or refused, or as it is after the last of d.Waits. What was decided
// stays decided also where the caller has left.
func (d *Desk) await(ctx context.Context, decision Decision) (Decision, error) {
	for _, wait := range d.Waits {
		if decision.State != Pending {
			break
		}
		select {
		case <-ctx.Done():
			return decision, nil
		case <-time.After(wait):
		}
		now, err := d.Decisions.Decision(ctx, decision.ID)
		if err != nil {
			return Decision{}, err
		}
		decision = now
	}
	return decision, nil
}
