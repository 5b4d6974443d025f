package httpapi

import (
	"bytes"
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

// PreviewRecord implements GET /records/{id}/preview.png.
func (s *Server) PreviewRecord(
	ctx context.Context, req PreviewRecordRequestObject,
) (PreviewRecordResponseObject, error) {
	details, err := s.Reader.Details(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	drawn, err := s.Previews.Render(ctx, details.Preview())
	if err != nil {
		return nil, err
	}
	httpserve.TagPicture(ctx, keysOfRecords([]record.RankedRecord{details.RankedRecord})...)
	return PreviewRecord200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}
