package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

// ListAudit implements GET /desk/audit.
func (s *Server) ListAudit(ctx context.Context, req ListAuditRequestObject) (ListAuditResponseObject, error) {
	_, limit, err := httpserve.PageQuery(nil, req.Params.Limit, defaultLimit)
	if err != nil {
		return nil, err
	}
	p := req.Params
	rows, more, err := s.auditEntries(ctx, ExportAuditParams{
		Actor: p.Actor, Subject: p.Subject, Action: p.Action, From: p.From, To: p.To, Before: p.Before,
	}, limit)
	if err != nil {
		return nil, err
	}
	pagination := AuditPagination{Limit: limit}
	if more {
		pagination.Next = &rows[len(rows)-1].UnderscoreId
	}
	return ListAudit200JSONResponse{Success: true, Data: rows, Pagination: pagination}, nil
}

// ExportAudit implements GET /desk/audit/export.
func (s *Server) ExportAudit(ctx context.Context, req ExportAuditRequestObject) (ExportAuditResponseObject, error) {
	rows, _, err := s.auditEntries(ctx, req.Params, moderation.MaxExport)
	if err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, row := range rows {
		if err := encoder.Encode(row); err != nil {
			return nil, err
		}
	}
	httpserve.ResponseHeader(ctx).Set("Content-Disposition", `attachment; filename="audit.ndjson"`)
	return ExportAudit200ApplicationxNdjsonResponse{Body: &lines, ContentLength: int64(lines.Len())}, nil
}

// auditEntries returns rows of the audit log, and reports whether there may be more.
func (s *Server) auditEntries(ctx context.Context, p ExportAuditParams, limit int) ([]AuditEntry, bool, error) {
	var err error
	f := moderation.AuditFilter{
		ActorID: httpserve.OrZero(p.Actor), TargetID: httpserve.OrZero(p.Subject),
		Action: access.Action(httpserve.OrZero(p.Action)), Limit: limit,
	}
	if f.From, err = parseTime("from", p.From); err != nil {
		return nil, false, err
	}
	if f.To, err = parseTime("to", p.To); err != nil {
		return nil, false, err
	}
	if p.Before != nil {
		if f.Before, err = strconv.ParseInt(*p.Before, 10, 64); err != nil || f.Before < 1 {
			return nil, false, moderation.ErrRowUnknown
		}
	}
	entries, more, err := s.AuditLog.List(ctx, httpserve.ActorOf(ctx), f)
	if err != nil {
		return nil, false, err
	}
	rows, err := withNames(ctx, s, func(n *names) []AuditEntry { return httpserve.List(entries, n.auditEntry) })
	for i := range rows {
		err = errors.Join(err, json.Unmarshal(entries[i].Before, &rows[i].Before),
			json.Unmarshal(entries[i].After, &rows[i].After))
	}
	return rows, more, err
}

func (n *names) auditEntry(e moderation.AuditEntry) AuditEntry {
	return AuditEntry{
		UnderscoreId: strconv.FormatInt(e.ID, 10), At: httpserve.TimeText(e.At),
		Actor:  AuditActor{Kind: AuditActorKind(e.Actor.Kind), Id: e.Actor.ID, Name: e.Actor.Name},
		Action: string(e.Action), SubjectId: e.TargetID, Reason: string(e.Reason),
		SubjectName:  httpserve.OrNull(n.findPlayer(e.TargetID).Name + n.findMap(e.TargetID).Name),
		PublicReason: httpserve.OrNull(string(e.PublicReason)), DecisionId: httpserve.OrNull(e.DecisionID),
	}
}
