package moderation

import (
	"errors"
	"slices"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Undoable is a decision that may be undone, with all that this depends on. Locks keep it from changing until the
// outcome is stored.
type Undoable struct {
	Decision Decision
	// UndoneBy is the decision that has undone it, or nil.
	UndoneBy *Decision
	// Later are the decisions of its kind or the inverse that came after it, about the same thing or the same player.
	Later []Decision
	// Hidings are the bans that an unban lifts.
	Hidings Hidings
	Involved
}

// Undo returns the outcome of a decision that undoes this one. Where the time of a ban is over, the history alone is
// changed. It returns ErrAppealAnswered, ErrDecisionFinal, ErrDecisionOvertaken or access.ErrNeedsAdmin.
func (u Undoable) Undo(n NewDecision) (Change, error) {
	d := n.Decision
	switch {
	case u.isRepetition(d):
		return Change{Decision: *u.UndoneBy, IsRepeated: true}, nil
	case n.AppealID != "" && (u.Appeal == nil || u.Appeal.ID != n.AppealID):
		return Change{}, ErrAppealAnswered
	case !u.Decision.isUndoable(d.At, n.AppealID != ""):
		return Change{}, ErrDecisionFinal
	}
	var commands []event.Command
	if !u.Decision.isOver(d.At) {
		if err := u.checkNotOvertaken(n); err != nil {
			return Change{}, err
		}
		d = d.withHidings(u.Hidings)
		commands = d.Commands(n.By)
	}
	c := u.begin(d, commands)
	after := noteOf(n.Overruled, d.Subject.PlayerID)
	after["decision"] = d.Kind
	c.Entries = []access.Entry{{
		By: d.attribution(n.By), Action: access.UndoDecision, Target: d.Subject.ID,
		Before: map[string]any{"decision": u.Decision.Kind, "decisionId": u.Decision.ID}, After: after,
	}}
	if a := u.Appeal; a != nil {
		c.Appeal = new(a.answered(AppealMessage{ID: d.ID, FromModerator: true, Text: d.Text, At: d.At}, AppealGranted))
		c.Entries = append(c.Entries, a.entry(d.attribution(n.By), d.Subject.ID, AppealGranted))
	}
	return c, nil
}

// isRepetition reports whether the request was sent before and is answered with its first decision.
func (u Undoable) isRepetition(d Decision) bool {
	r := u.UndoneBy
	return r != nil && r.ByID == d.ByID && r.PublicReason == d.PublicReason && r.Text == d.Text
}

// checkNotOvertaken returns ErrDecisionOvertaken where something newer holds instead of the decision that is undone, or
// access.ErrNeedsAdmin. A ban that has ended can be undone: the players service has nothing to change then.
func (u Undoable) checkNotOvertaken(n NewDecision) error {
	undone := u.Decision
	if slices.ContainsFunc(u.Later, undone.isOvertakenBy) {
		return ErrDecisionOvertaken
	}
	if p := n.Thing.Player; undone.Kind == Ban {
		if p != nil && p.Ban != nil && p.Ban.DecisionID != undone.ID {
			return ErrDecisionOvertaken
		}
		return nil
	}
	if !undone.isSwitch() {
		return nil
	}
	err := checkKind(n.By.Actor, n.Thing, false, n.Decision.Kind)
	if errors.Is(err, ErrNotApplicable) {
		return ErrDecisionOvertaken
	}
	return err
}
