package moderation

import (
	"context"
	"errors"
	"strings"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// DecideCase decides a case that the actor has claimed. It returns an error of DecisionStore.Decide or of Choice.check,
// ErrCaseUnknown, ErrConflict or ErrNotApplicable.
func (d *Desk) DecideCase(ctx context.Context, by access.Actor, caseID string, c Choice) (Decision, error) {
	attribution, err := d.authorizeDecision(ctx, by, c.Kind)
	if err != nil {
		return Decision{}, err
	}
	file, err := d.file(ctx, caseID)
	if err != nil {
		return Decision{}, err
	}
	if file.State == CaseClosed {
		return d.repeated(ctx, newDecision(attribution, file.Subject, caseID, c, d.Now()), ErrCaseClosed)
	}
	return d.decide(ctx, attribution, file.Kind, file.Subject.ID, file.ID, c)
}

// Decide decides about a thing without a case. It returns an error of DecisionStore.Decide or of Choice.check,
// ErrSubjectUnknown, ErrConflict or ErrNotApplicable.
func (d *Desk) Decide(ctx context.Context, by access.Actor, kind SubjectKind, id string, c Choice) (Decision, error) {
	attribution, err := d.authorizeDecision(ctx, by, c.Kind)
	if err != nil {
		return Decision{}, err
	}
	return d.decide(ctx, attribution, kind, id, "", c)
}

// authorizeDecision returns the attribution of a decision. Only admins merge players.
func (d *Desk) authorizeDecision(
	ctx context.Context, by access.Actor, kind DecisionKind,
) (access.Attribution, error) {
	attribution, err := authorize(ctx, d.Things.Players, access.Attribution{Actor: by}, access.Decide)
	if err == nil && kind == Merge {
		err = attribution.Actor.Require(access.MergePlayer)
	}
	return attribution, err
}

// decide decides about a thing. The caseID is empty without a case.
func (d *Desk) decide(
	ctx context.Context, by access.Attribution, kind SubjectKind, id, caseID string, c Choice,
) (Decision, error) {
	thing, err := d.Things.Get(ctx, kind, id)
	if err != nil {
		return Decision{}, err
	}
	conflict, err := d.findConflict(ctx, by.Actor.ID, thing)
	if err != nil {
		return Decision{}, err
	}
	if err := checkConflict(by.Actor, conflict, c.Override); err != nil {
		return Decision{}, err
	}
	if err := checkKind(by.Actor, thing, caseID != "", c.Kind); err != nil {
		return d.repeated(ctx, newDecision(by, thing.Subject, caseID, c, d.Now()), err)
	}
	if c, err = c.check(thing, d.Now()); err != nil {
		return Decision{}, err
	}
	if c.Kind == Merge {
		if c.IntoID, err = d.resolveInto(ctx, thing, c.IntoID); err != nil {
			return Decision{}, err
		}
		if c.IntoID == by.Actor.ID {
			conflict = OwnCase
			if err := checkConflict(by.Actor, conflict, c.Override); err != nil {
				return Decision{}, err
			}
		}
	}
	decision := newDecision(by, thing.Subject, caseID, c, d.Now())
	decision.ID = d.NewID()
	stored, err := d.Decisions.Decide(ctx, decision, decision.attribution(by), noteOf(conflict))
	if err != nil {
		return Decision{}, err
	}
	return d.await(ctx, stored)
}

// newDecision returns what a moderator has chosen, without an id.
func newDecision(by access.Attribution, about Subject, caseID string, c Choice, now time.Time) Decision {
	return Decision{
		Kind: c.Kind, Subject: about, ByID: by.Actor.ID, PublicReason: c.PublicReason, Text: strings.TrimSpace(c.Text),
		Until: c.Until, KeepRecords: c.KeepRecords, IntoID: c.IntoID, CaseID: caseID, At: now,
	}
}

// RepeatPeriod is how long a decision that is sent again is taken for a repetition, because its answer was lost.
const RepeatPeriod = time.Hour

// repeated returns the decision that the same request has made before, or the error for which it is refused.
func (d *Desk) repeated(ctx context.Context, asked Decision, refusal error) (Decision, error) {
	first, err := d.Decisions.FindRepeated(ctx, asked)
	switch {
	case errors.Is(err, ErrDecisionUnknown):
		return Decision{}, refusal
	case err != nil:
		return Decision{}, err
	}
	return d.await(ctx, first)
}

// resolveInto returns the id of the player into whom a player is merged, who may have been merged since. It returns
// event.ErrPlayerUnknown or ErrMergeInto.
func (d *Desk) resolveInto(ctx context.Context, thing Thing, intoID string) (string, error) {
	into, err := d.Things.Players.Get(ctx, intoID)
	if err != nil {
		return "", err
	}
	if into.ID == thing.PlayerID {
		return "", ErrMergeInto
	}
	return into.ID, nil
}

// attribution returns who makes the decision and why, for its commands.
func (d Decision) attribution(by access.Attribution) access.Attribution {
	by.Reason, by.PublicReason, by.DecisionID = access.Reason(d.Text), d.PublicReason, d.ID
	return by
}

// Undo undoes a decision. It returns ErrDecisionUnknown, ErrDecisionFinal also where another decision has overtaken it,
// ErrConflict, or an error of Choice.check. Admins overrule a conflict of interest, except in what concerns themselves.
func (d *Desk) Undo(
	ctx context.Context, by access.Actor, id string, reason access.PublicReason, text string,
) (Decision, error) {
	attribution, err := authorize(ctx, d.Things.Players, access.Attribution{Actor: by}, access.UndoDecision)
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
	return d.undo(ctx, attribution, undone, reason, text, "")
}

// undo undoes a decision. The appealID is the appeal that is answered by it, or empty.
func (d *Desk) undo(
	ctx context.Context, by access.Attribution, undone Decision, reason access.PublicReason, text, appealID string,
) (Decision, error) {
	now := d.Now()
	if undone.UndoneBy != "" {
		first, err := d.Decisions.Decision(ctx, undone.UndoneBy)
		if err != nil {
			return Decision{}, err
		}
		if first.ByID == by.Actor.ID && first.PublicReason == reason && first.Text == strings.TrimSpace(text) {
			return d.await(ctx, first) // the same request, whose answer was lost
		}
	}
	if !undone.IsUndoable(now, appealID != "") {
		return Decision{}, ErrDecisionFinal
	}
	thing, conflict, err := d.thingToJudge(ctx, by.Actor, undone)
	if err != nil {
		return Decision{}, err
	}
	isOver := !undone.isInForce(thing, now)
	c := Choice{Kind: inverses[undone.Kind], PublicReason: reason, Text: text, KeepRecords: undone.KeepRecords}
	if !isOver {
		c.Until = undone.Until
	}
	if c, err = c.check(thing, now); err != nil {
		return Decision{}, err
	}
	c.Until = undone.Until
	if !isOver && undone.IsSwitch() {
		err := checkKind(by.Actor, thing, false, c.Kind)
		switch {
		case errors.Is(err, ErrNotApplicable):
			return Decision{}, ErrDecisionFinal
		case err != nil:
			return Decision{}, err
		}
	}
	decision := Decision{
		ID: d.NewID(), Kind: c.Kind, Subject: undone.Subject, ByID: by.Actor.ID, PublicReason: c.PublicReason, Text: c.Text,
		Until: c.Until, KeepRecords: c.KeepRecords, CaseID: undone.CaseID, Undoes: undone.ID, At: now,
	}
	stored, err := d.Decisions.Undo(ctx, decision, decision.attribution(by), noteOf(conflict), appealID, isOver)
	if err != nil {
		return Decision{}, err
	}
	return d.await(ctx, stored)
}

// thingToJudge returns what a decision is about, with the player whom it concerns, for who undoes the decision or
// answers an appeal against it. It also returns the conflict of interest that the actor overrules, or ErrConflict.
func (d *Desk) thingToJudge(ctx context.Context, by access.Actor, about Decision) (Thing, Conflict, error) {
	if about.PlayerID == by.ID {
		return Thing{}, "", ErrConflict.WithData("conflict", OwnCase)
	}
	thing, err := d.Things.Get(ctx, about.Subject.Kind, about.Subject.ID)
	if err != nil {
		return Thing{}, "", err
	}
	conflict, err := d.findConflict(ctx, by.ID, thing)
	if err != nil {
		return Thing{}, "", err
	}
	if err := checkConflict(by, conflict, true); err != nil {
		return Thing{}, "", err
	}
	// A map may have another author than when it was decided.
	thing, err = d.Things.concerning(ctx, thing, about.PlayerID)
	return thing, conflict, err
}

// pollEvery is how often await looks.
const pollEvery = 40 * time.Millisecond

// await returns the decision when it is carried out or refused, or as it is after d.Wait. What was decided stays
// decided also where the caller has left.
func (d *Desk) await(ctx context.Context, decision Decision) (Decision, error) {
	deadline, cancel := context.WithTimeout(ctx, d.Wait)
	defer cancel()
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for decision.State == Pending {
		select {
		case <-deadline.Done():
			return decision, nil
		case <-ticker.C:
		}
		now, err := d.Decisions.Decision(ctx, decision.ID)
		if err != nil {
			return Decision{}, err
		}
		decision = now
	}
	return decision, nil
}
