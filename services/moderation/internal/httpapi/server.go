// Package httpapi serves the moderation's part of the API. It translates between requests and use cases.
package httpapi

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml -o openapi.gen.go ../../api/openapi.yaml

// MaxBody bounds the bytes of a request, as at the gateway.
const MaxBody = 16 << 10

// Directory has the copies of players and maps by their ids.
type Directory interface {
	Players(ctx context.Context, ids []string) (map[string]moderation.Player, error)
	Maps(ctx context.Context, ids []string) (map[string]moderation.Map, error)
}

// Server implements StrictServerInterface.
type Server struct {
	Reports   *moderation.Reports
	Desk      *moderation.Desk
	Appeals   *moderation.Appeals
	Log       *moderation.Log
	Directory Directory
	Now       func() time.Time
}

// Register adds the routes of the API to an engine.
func Register(engine *gin.Engine, s *Server) {
	RegisterHandlersWithOptions(engine, NewStrictHandler(s), GinServerOptions{
		BaseURL: "/api/v1", ErrorHandler: httpserve.RenderBinding,
	})
}

// defaultLimit is the number of rows on a page where a request names none.
const defaultLimit = 50

// parseTime reads a time of a request. Nil is the zero value.
func parseTime(field string, text *string) (time.Time, error) {
	if text == nil {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, *text)
	if err != nil {
		return time.Time{}, httpserve.ErrMalformed.WithField(field, "malformed", "is no time such as 2026-05-11T18:02:33Z")
	}
	return t, nil
}

// CreateReport implements POST /reports.
func (s *Server) CreateReport(ctx context.Context, req CreateReportRequestObject) (CreateReportResponseObject, error) {
	r, err := s.Reports.Report(ctx, httpserve.ActorOf(ctx), moderation.SubjectKind(req.Body.Subject.Kind),
		req.Body.Subject.Id, access.PublicReason(req.Body.Reason), httpserve.OrZero(req.Body.Text))
	return CreateReport201JSONResponse{
		Success: true, Data: OwnReport{UnderscoreId: r.ID, At: httpserve.TimeText(r.At)},
	}, err
}

// GetModeration implements GET /moderation.
func (s *Server) GetModeration(ctx context.Context, _ GetModerationRequestObject) (GetModerationResponseObject, error) {
	m, err := s.Log.Summary(ctx)
	if err != nil {
		return nil, err
	}
	wire := ModerationSummary{
		Days: moderation.SummaryDays, OpenCases: m.OpenCases, Reports: m.Reports, ClosedCases: m.ClosedCases,
		Undone: m.Undone, AppealsOpen: m.AppealsOpen, AppealsGranted: m.AppealsGranted, AppealsKept: m.AppealsKept,
		Decisions: []DecisionCount{},
	}
	for _, kind := range moderation.DecisionKinds {
		if count := m.Decisions[kind]; count > 0 {
			wire.Decisions = append(wire.Decisions, DecisionCount{Kind: DecisionKind(kind), Count: count})
		}
	}
	if m.MedianMinutes >= 0 {
		wire.MedianMinutes = &m.MedianMinutes
	}
	return GetModeration200JSONResponse{Success: true, Data: wire}, nil
}

// GetRecordModeration implements GET /moderation/records/{id}.
func (s *Server) GetRecordModeration(
	ctx context.Context, req GetRecordModerationRequestObject,
) (GetRecordModerationResponseObject, error) {
	is, err := s.Log.IsLookedAt(ctx, req.Id)
	return GetRecordModeration200JSONResponse{Success: true, Data: RecordModeration{BeingLookedAt: is}}, err
}
