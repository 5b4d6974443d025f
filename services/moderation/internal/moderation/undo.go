package moderation

import (
	"context"
	"errors"
	"slices"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

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
