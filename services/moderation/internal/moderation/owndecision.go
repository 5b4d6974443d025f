package moderation

import (
	"context"

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

// maxOwnDecisions bounds the decisions that are listed of a player.
const maxOwnDecisions = 100

// OwnDecisions returns the newest decisions about the actor.
func (a *Appeals) OwnDecisions(ctx context.Context, by access.Actor) ([]OwnDecision, error) {
	by, err := authorize(ctx, by, access.ReadOwnDecisions, a.Desk.Things.Players)
	if err != nil {
		return nil, err
	}
	decisions, err := a.Desk.Decisions.OwnDecisions(ctx, by.ID, maxOwnDecisions)
	if err != nil {
		return nil, err
	}
	return a.withAppeals(ctx, decisions)
}

// OwnDecision returns a decision about the actor, or ErrDecisionUnknown.
func (a *Appeals) OwnDecision(ctx context.Context, by access.Actor, id string) (OwnDecision, error) {
	by, err := authorize(ctx, by, access.ReadOwnDecisions, a.Desk.Things.Players)
	if err != nil {
		return OwnDecision{}, err
	}
	d, err := a.ownDecision(ctx, by, id)
	if err != nil {
		return OwnDecision{}, err
	}
	own, err := a.withAppeals(ctx, []Decision{d})
	if err != nil {
		return OwnDecision{}, err
	}
	return own[0], nil
}

// ownDecision returns a decision about a player, or ErrDecisionUnknown.
func (a *Appeals) ownDecision(ctx context.Context, by access.Actor, id string) (Decision, error) {
	if !event.IsID(id) {
		return Decision{}, ErrDecisionUnknown
	}
	d, err := a.Desk.Decisions.Decision(ctx, id)
	if err == nil && (d.Subject.PlayerID != by.ID || !d.ConcernsSubject()) {
		err = ErrDecisionUnknown
	}
	return d, err
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
		last := appeals[d.ID]
		own[i] = OwnDecision{Decision: d, Appeal: last, MayAppeal: CheckAppeal(d, last, a.Desk.Now()) == nil}
	}
	return own, nil
}
