package httpapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

// ListCases implements GET /desk/cases.
func (s *Server) ListCases(ctx context.Context, req ListCasesRequestObject) (ListCasesResponseObject, error) {
	page, limit, err := httpserve.PageQuery(req.Params.Page, req.Params.Limit, defaultLimit)
	if err != nil {
		return nil, err
	}
	f := moderation.CaseFilter{Offset: (page - 1) * limit, Limit: limit}
	if kind := req.Params.Kind; kind != nil {
		if !kind.Valid() {
			return nil, httpserve.ErrMalformed.WithField("kind", "unknown", "is record, map or player")
		}
		f.Kind = moderation.SubjectKind(*kind)
	}
	if state := req.Params.State; state != nil {
		if !state.Valid() {
			return nil, httpserve.ErrMalformed.WithField("state", "unknown", "is open or closed")
		}
		f.State = moderation.CaseState(*state)
	}
	if assigned := req.Params.Assigned; assigned != nil {
		if !assigned.Valid() {
			return nil, httpserve.ErrMalformed.WithField("assigned", "unknown", "is mine, free or claimed")
		}
		f.Assigned = string(*assigned)
	}
	if sort := req.Params.Sort; sort != nil {
		if !sort.Valid() {
			return nil, httpserve.ErrMalformed.WithField("sort", "unknown", "is priority or age")
		}
		f.ByAge = *sort == SortAge
	}
	cases, total, err := s.Desk.List(ctx, httpserve.ActorOf(ctx), f)
	if err != nil {
		return nil, err
	}
	data, err := withNames(ctx, s, func(n *names) []CaseSummary { return httpserve.List(cases, n.caseSummary) })
	return ListCases200JSONResponse{
		Success: true, Data: data, Pagination: Pagination(httpserve.PaginationOf(total, page, limit)),
	}, err
}

func (n *names) caseSummary(c moderation.Case) CaseSummary {
	return CaseSummary{
		UnderscoreId: c.ID, Subject: n.subject(c.Subject), State: CaseSummaryState(c.State), Priority: c.Priority,
		Reports: c.Reports, Flags: c.Flags, OpenedAt: httpserve.TimeText(c.OpenedAt),
		ClosedAt: httpserve.TimeOrNull(c.ClosedAt), Claim: n.claim(c.Claim),
	}
}

// GetCase implements GET /desk/cases/{id}.
func (s *Server) GetCase(ctx context.Context, req GetCaseRequestObject) (GetCaseResponseObject, error) {
	view, err := s.Desk.Case(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	data, err := withNames(ctx, s, func(n *names) CaseDetail { return n.caseDetail(view) })
	return GetCase200JSONResponse{Success: true, Data: data}, err
}

func (n *names) caseDetail(view moderation.CaseView) CaseDetail {
	wire := CaseDetail{
		UnderscoreId: view.ID, Subject: n.subject(view.Subject), State: CaseDetailState(view.State),
		Priority: view.Priority, OpenedAt: httpserve.TimeText(view.OpenedAt), ClosedAt: httpserve.TimeOrNull(view.ClosedAt),
		Claim: n.claim(view.Claim), Reports: httpserve.List(view.Reported, n.report),
		Flags: httpserve.List(view.Flagged, toFlag), RecordUnavailable: view.RecordUnavailable,
		Decisions: httpserve.List(view.Decisions, n.decision), History: httpserve.List(view.History, n.decision),
		OtherCases: httpserve.List(view.OtherCases, n.caseSummary),
		Allowed:    httpserve.List(view.Allowed, func(k moderation.DecisionKind) DecisionKind { return DecisionKind(k) }),
	}
	if view.Conflict != "" {
		wire.Conflict = new(Conflict(view.Conflict))
	}
	if r := view.Thing.Record; r != nil {
		wire.Record = &DeskRecord{
			FinishTime: r.FinishTime, FinishTimeStamp: httpserve.TimeText(r.FinishTimeStamp),
			SubmittedAt: httpserve.TimeText(r.CreatedAt), Rank: httpserve.OrNull(int(r.Rank)), Finishers: int(r.Finishers),
			Removed: r.Removed, Hidden: r.Hidden, Neighbours: httpserve.List(r.Neighbours, n.neighbour),
		}
	}
	if m := view.Thing.Map; m != nil {
		wire.Map = &DeskMap{Removed: m.Removed, Superseded: m.Superseded, Unranked: m.Unranked, GameMapId: m.GameMapID}
	}
	if p := view.Thing.Player; p != nil {
		wire.Player = &DeskPlayer{
			Registered: p.Registered, Banned: p.Banned, Roles: append([]string{}, p.Roles...),
			CreatedAt: httpserve.TimeText(p.CreatedAt),
		}
		if p.Ban != nil {
			wire.Player.BannedUntil = httpserve.TimeOrNull(p.Ban.Until)
		}
	}
	return wire
}

func (n *names) report(r moderation.Report) CaseReport {
	wire := CaseReport{
		UnderscoreId: r.ID, Reporter: n.player(r.ReporterID), Reason: ReportReason(r.Reason), Text: r.Text,
		At: httpserve.TimeText(r.At),
	}
	if r.Accuracy.IsKnown() {
		wire.Accuracy = new(r.Accuracy.Share())
	}
	return wire
}

func toFlag(f moderation.Flag) CaseFlag {
	return CaseFlag{
		UnderscoreId: f.ID, Kind: FlagKind(f.Kind), Silent: f.Silent, Numbers: f.Numbers, At: httpserve.TimeText(f.At),
	}
}

func (n *names) neighbour(r event.RankedFinish) DeskNeighbour {
	return DeskNeighbour{Player: n.player(r.PlayerID), RecordId: r.RecordID, FinishTime: r.FinishTime, Rank: int(r.Rank)}
}

// ClaimCase implements POST /desk/cases/{id}/claim.
func (s *Server) ClaimCase(ctx context.Context, req ClaimCaseRequestObject) (ClaimCaseResponseObject, error) {
	claim, err := s.Desk.Claim(ctx, httpserve.By(ctx), req.Id, httpserve.OrZero(req.Body.Override))
	if err != nil {
		return nil, err
	}
	data, err := withNames(ctx, s, func(n *names) Claim { return *n.claim(&claim) })
	return ClaimCase200JSONResponse{Success: true, Data: data}, err
}

func (n *names) claim(c *moderation.Claim) *Claim {
	if c == nil {
		return nil
	}
	return &Claim{Player: n.player(c.PlayerID), Until: httpserve.TimeText(c.Until), Mine: c.IsOwn}
}

// ReleaseCase implements DELETE /desk/cases/{id}/claim.
func (s *Server) ReleaseCase(ctx context.Context, req ReleaseCaseRequestObject) (ReleaseCaseResponseObject, error) {
	return ReleaseCase204Response{}, s.Desk.Release(ctx, httpserve.By(ctx), req.Id)
}
