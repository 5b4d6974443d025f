package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

// CreateAppeal implements POST /appeals.
func (s *Server) CreateAppeal(ctx context.Context, req CreateAppealRequestObject) (CreateAppealResponseObject, error) {
	a, err := s.Appeals.Appeal(ctx, httpserve.By(ctx), req.Body.DecisionId, req.Body.Text)
	return CreateAppeal201JSONResponse{Success: true, Data: toAppeal(a)}, err
}

// AddAppealMessage implements POST /appeals/{id}/messages.
func (s *Server) AddAppealMessage(
	ctx context.Context, req AddAppealMessageRequestObject,
) (AddAppealMessageResponseObject, error) {
	a, err := s.Appeals.AddMessage(ctx, httpserve.By(ctx), req.Id, req.Body.Text)
	return AddAppealMessage201JSONResponse{Success: true, Data: toAppeal(a)}, err
}

func toAppeal(a moderation.Appeal) Appeal {
	return Appeal{
		UnderscoreId: a.ID, DecisionId: a.DecisionID, State: AppealState(a.State),
		WaitingSince: httpserve.TimeOrNull(a.WaitingSince),
		AnsweredAt:   httpserve.TimeOrNull(a.AnsweredAt), Messages: httpserve.List(a.Messages, toMessage),
	}
}

func toMessage(m moderation.AppealMessage) AppealMessage {
	wire := AppealMessage{UnderscoreId: m.ID, From: FromSubject, Text: m.Text, At: httpserve.TimeText(m.At)}
	if m.FromModerator {
		wire.From = FromModerator
	}
	return wire
}

// ListAppeals implements GET /desk/appeals.
func (s *Server) ListAppeals(ctx context.Context, req ListAppealsRequestObject) (ListAppealsResponseObject, error) {
	page, limit, err := httpserve.PageQuery(req.Params.Page, req.Params.Limit, defaultLimit)
	if err != nil {
		return nil, err
	}
	state := AppealsOpen
	if req.Params.State != nil {
		if state = *req.Params.State; !state.Valid() {
			return nil, httpserve.ErrMalformed.WithField("state", "unknown", "is open or answered")
		}
	}
	appeals, total, err := s.Appeals.List(ctx, httpserve.ActorOf(ctx), moderation.AppealFilter{
		Open: state == AppealsOpen, Offset: (page - 1) * limit, Limit: limit,
	})
	if err != nil {
		return nil, err
	}
	data, err := withNames(ctx, s, func(n *names) []DeskAppeal { return httpserve.List(appeals, n.deskAppeal) })
	return ListAppeals200JSONResponse{
		Success: true, Data: data, Pagination: Pagination(httpserve.PaginationOf(total, page, limit)),
	}, err
}

// AnswerAppeal implements POST /desk/appeals/{id}/answer.
func (s *Server) AnswerAppeal(ctx context.Context, req AnswerAppealRequestObject) (AnswerAppealResponseObject, error) {
	if !req.Body.Outcome.Valid() {
		return nil, httpserve.ErrMalformed.WithField("outcome", "unknown", "is granted, kept or asked")
	}
	state := moderation.AppealState(req.Body.Outcome)
	if req.Body.Outcome == OutcomeAsked {
		state = moderation.AppealOpen
	}
	a, err := s.Appeals.Answer(ctx, httpserve.By(ctx), req.Id, state, req.Body.Text)
	if err != nil {
		return nil, err
	}
	data, err := withNames(ctx, s, func(n *names) DeskAppeal { return n.deskAppeal(a) })
	return AnswerAppeal200JSONResponse{Success: true, Data: data}, err
}

func (n *names) deskAppeal(a moderation.DeskAppeal) DeskAppeal {
	return DeskAppeal{
		UnderscoreId: a.ID, DecisionId: a.DecisionID, State: AppealState(a.State),
		WaitingSince: httpserve.TimeOrNull(a.WaitingSince), AnsweredAt: httpserve.TimeOrNull(a.AnsweredAt),
		Messages: httpserve.List(a.Messages, toMessage),
		Player:   n.player(a.PlayerID), Decision: n.decision(a.Decision), MayAnswer: a.MayAnswer,
	}
}
