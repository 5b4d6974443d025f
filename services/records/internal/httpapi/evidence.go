package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
)

// GetRecordEvidence implements GET /desk/records/{id}/verification.
func (s *Server) GetRecordEvidence(
	ctx context.Context, req GetRecordEvidenceRequestObject,
) (GetRecordEvidenceResponseObject, error) {
	verification, err := s.Evidence.Verification(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return GetRecordEvidence200JSONResponse{Success: true, Data: toVerification(verification)}, nil
}

// DownloadEvidence implements GET /desk/records/{id}/replay.
func (s *Server) DownloadEvidence(
	ctx context.Context, req DownloadEvidenceRequestObject,
) (DownloadEvidenceResponseObject, error) {
	download, err := s.Evidence.Download(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	return attachment{download, "private, no-cache", httpserve.Request(ctx)}, nil
}
