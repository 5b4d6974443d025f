package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

// ListOwnDecisions implements GET /me/decisions.
func (s *Server) ListOwnDecisions(
	ctx context.Context, _ ListOwnDecisionsRequestObject,
) (ListOwnDecisionsResponseObject, error) {
	decisions, err := s.Appeals.OwnDecisions(ctx, httpserve.ActorOf(ctx))
	if err != nil {
		return nil, err
	}
	data, err := withNames(ctx, s, func(n *names) []OwnDecision { return httpserve.List(decisions, n.ownDecision) })
	return ListOwnDecisions200JSONResponse{Success: true, Data: data}, err
}

// GetOwnDecision implements GET /decisions/{id}.
func (s *Server) GetOwnDecision(
	ctx context.Context, req GetOwnDecisionRequestObject,
) (GetOwnDecisionResponseObject, error) {
	decision, err := s.Appeals.OwnDecision(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	data, err := withNames(ctx, s, func(n *names) OwnDecision { return n.ownDecision(decision) })
	return GetOwnDecision200JSONResponse{Success: true, Data: data}, err
}

// ownDecision returns a decision as its player sees it, without the moderator.
func (n *names) ownDecision(d moderation.OwnDecision) OwnDecision {
	wire := OwnDecision{
		UnderscoreId: d.ID, Kind: DecisionKind(d.Kind), Subject: n.subject(d.Subject),
		PublicReason: PublicReason(d.PublicReason), Text: d.Text, State: DecisionState(d.State),
		KeepRecords: d.KeepRecords, Undone: d.UndoneBy != "", At: httpserve.TimeText(d.At), MayAppeal: d.MayAppeal,
	}
	if d.Kind == moderation.Ban {
		wire.Until = httpserve.TimeOrNull(d.Until)
	}
	if d.Appeal != nil {
		wire.Appeal = new(toAppeal(*d.Appeal))
	}
	return wire
}
