package httpapi

import (
	"context"

	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

// CreateReport implements POST /reports.
func (s *Server) CreateReport(ctx context.Context, req CreateReportRequestObject) (CreateReportResponseObject, error) {
	r, err := s.Reports.Report(ctx, httpserve.By(ctx), moderation.SubjectKind(req.Body.Subject.Kind),
		req.Body.Subject.Id, access.PublicReason(req.Body.Reason), httpserve.OrZero(req.Body.Text))
	return CreateReport201JSONResponse{
		Success: true, Data: OwnReport{UnderscoreId: r.ID, At: httpserve.TimeText(r.At)},
	}, err
}
