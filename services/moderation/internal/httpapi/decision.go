package httpapi

import (
	"context"

	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

// DecideCase implements POST /desk/cases/{id}/decisions.
func (s *Server) DecideCase(ctx context.Context, req DecideCaseRequestObject) (DecideCaseResponseObject, error) {
	data, err := s.decide(ctx, req.Id, moderation.Subject{}, *req.Body)
	return DecideCase201JSONResponse{Success: true, Data: data}, err
}

// Decide implements POST /desk/decisions.
func (s *Server) Decide(ctx context.Context, req DecideRequestObject) (DecideResponseObject, error) {
	b := req.Body
	about := moderation.Subject{Kind: moderation.SubjectKind(b.Subject.Kind), ID: b.Subject.Id}
	data, err := s.decide(ctx, "", about, DecisionRequest{
		Kind: b.Kind, PublicReason: b.PublicReason, Text: b.Text, Until: b.Until, KeepRecords: b.KeepRecords,
		IntoId: b.IntoId, Override: b.Override,
	})
	return Decide201JSONResponse{Success: true, Data: data}, err
}

func (s *Server) decide(
	ctx context.Context, caseID string, about moderation.Subject, b DecisionRequest,
) (Decision, error) {
	until, err := parseTime("until", b.Until)
	if err != nil {
		return Decision{}, err
	}
	d, err := s.Desk.Decide(ctx, httpserve.By(ctx), caseID, about, moderation.Choice{
		Kind: moderation.DecisionKind(b.Kind), PublicReason: access.PublicReason(b.PublicReason), Text: b.Text, Until: until,
		KeepRecords: httpserve.OrZero(b.KeepRecords), IntoID: httpserve.OrZero(b.IntoId),
		Override: httpserve.OrZero(b.Override),
	})
	if err != nil {
		return Decision{}, err
	}
	return s.decision(ctx, d)
}

// UndoDecision implements POST /desk/decisions/{id}/undo.
func (s *Server) UndoDecision(ctx context.Context, req UndoDecisionRequestObject) (UndoDecisionResponseObject, error) {
	d, err := s.Desk.Undo(ctx, httpserve.By(ctx), req.Id, access.PublicReason(req.Body.PublicReason), req.Body.Text)
	if err != nil {
		return nil, err
	}
	data, err := s.decision(ctx, d)
	return UndoDecision201JSONResponse{Success: true, Data: data}, err
}

// decision returns the answer of a decision.
func (s *Server) decision(ctx context.Context, d moderation.DeskDecision) (Decision, error) {
	return withNames(ctx, s, func(n *names) Decision { return n.decision(d) })
}

func (n *names) decision(d moderation.DeskDecision) Decision {
	wire := Decision{
		UnderscoreId: d.ID, Kind: DecisionKind(d.Kind), Subject: n.subject(d.Subject), By: n.playerOrNull(d.ByID),
		PublicReason: PublicReason(d.PublicReason), Text: d.Text, State: DecisionState(d.State), KeepRecords: d.KeepRecords,
		Into: n.playerOrNull(d.IntoID), CaseId: httpserve.OrNull(d.CaseID), Undoes: httpserve.OrNull(d.Undoes),
		UndoneBy: httpserve.OrNull(d.UndoneBy), Undoable: d.Undoable, At: httpserve.TimeText(d.At),
	}
	if d.Kind == moderation.Ban {
		wire.Until = httpserve.TimeOrNull(d.Until)
	}
	if d.State == moderation.Refused {
		wire.Refusal = &DecisionRefusal{Code: d.RefusalCode, Message: d.RefusalMessage}
	}
	return wire
}
