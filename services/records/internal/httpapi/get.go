package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

// GetRecord implements GET /records/{id}.
func (s *Server) GetRecord(ctx context.Context, req GetRecordRequestObject) (GetRecordResponseObject, error) {
	entry, err := s.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, keysOfEntries([]record.Entry{entry})...)
	return GetRecord200JSONResponse{Success: true, Data: toWire(entry)}, nil
}
