package moderation

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// OwnDecision is a decision as its player sees it.
type OwnDecision struct {
	Decision
	// Appeal is the last one, or nil.
	Appeal    *Appeal
	MayAppeal bool
}

// AddAppeal returns an appeal of the decision's player, or the last one where it is sent again. It returns
// ErrDecisionUnknown for another player's decision, or an error of checkAppeal.
func (d OwnDecision) AddAppeal(by access.Attribution, a Appeal) (Changed[Appeal], error) {
	switch last := d.Appeal; {
	case !d.isOf(by.Actor.ID):
		return Changed[Appeal]{}, ErrDecisionUnknown
	case last != nil && last.State == AppealOpen && len(last.Messages) == 1 && last.isRepeated(false, a.Messages[0].Text):
		return Changed[Appeal]{Value: *last, IsRepeated: true}, nil
	}
	if err := d.checkAppeal(a.WaitingSince); err != nil {
		return Changed[Appeal]{}, err
	}
	a.PlayerID, by.DecisionID = by.Actor.ID, d.ID
	return Changed[Appeal]{Value: a, Entries: []access.Entry{{
		By: by, Action: access.Appeal, Target: d.Subject.ID, After: map[string]any{"appeal": AppealOpen, "appealId": a.ID},
	}}}, nil
}

// checkAppeal returns why the player cannot appeal against the decision: ErrAppealNotApplicable, ErrAppealExists or
// ErrAppealTooSoon.
func (d OwnDecision) checkAppeal(now time.Time) error {
	switch last := d.Appeal; {
	case !d.IsAppealable():
		return ErrAppealNotApplicable
	case last == nil:
		return nil
	case last.State == AppealOpen:
		return ErrAppealExists.WithData("_id", last.ID)
	case now.Before(last.AnsweredAt.Add(appealPause)):
		return ErrAppealTooSoon.WithRetryAfter(last.AnsweredAt.Add(appealPause).Sub(now))
	}
	return nil
}

// isOf reports whether a player sees the decision as one about the player.
func (d Decision) isOf(playerID string) bool {
	return d.Subject.PlayerID == playerID && d.ConcernsSubject()
}

// maxOwnDecisions bounds the decisions that are listed of a player.
const maxOwnDecisions = 100

// OwnDecisions returns the newest decisions about the actor.
func (a *Appeals) OwnDecisions(ctx context.Context, by access.Actor) ([]OwnDecision, error) {
	players := a.Desk.Things.Players
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadOwnDecisions, players.Get)
	if err != nil {
		return nil, err
	}
	decisions, err := a.Desk.Decisions.OwnDecisions(ctx, reader.Actor.ID, maxOwnDecisions)
	if err != nil {
		return nil, err
	}
	return a.withAppeals(ctx, decisions)
}

// OwnDecision returns a decision about the actor, or ErrDecisionUnknown.
func (a *Appeals) OwnDecision(ctx context.Context, by access.Actor, id string) (OwnDecision, error) {
	players := a.Desk.Things.Players
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadOwnDecisions, players.Get)
	if err != nil {
		return OwnDecision{}, err
	}
	if !event.IsID(id) {
		return OwnDecision{}, ErrDecisionUnknown
	}
	d, err := a.Desk.Decisions.Decision(ctx, id)
	if err == nil && !d.isOf(reader.Actor.ID) {
		err = ErrDecisionUnknown
	}
	if err != nil {
		return OwnDecision{}, err
	}
	own, err := a.withAppeals(ctx, []Decision{d})
	if err != nil {
		return OwnDecision{}, err
	}
	return own[0], nil
}

// withAppeals returns decisions as their player sees them, in the same order.
func (a *Appeals) withAppeals(ctx context.Context, decisions []Decision) ([]OwnDecision, error) {
	ids := make([]string, len(decisions))
	for i, d := range decisions {
		ids[i] = d.ID
	}
	appeals, err := a.Store.LastAppeals(ctx, ids)
	if err != nil {
		return nil, err
	}
	own := make([]OwnDecision, len(decisions))
	for i, d := range decisions {
		own[i] = OwnDecision{Decision: d, Appeal: appeals[d.ID]}
		own[i].MayAppeal = own[i].checkAppeal(a.Desk.Now()) == nil
	}
	return own, nil
}
