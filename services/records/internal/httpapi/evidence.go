package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
)

// GetRecordEvidence implements GET /desk/records/{id}/verification.
func (s *Server) GetRecordEvidence(
	ctx context.Context, req GetRecordEvidenceRequestObject,
) (GetRecordEvidenceResponseObject, error) {
	found, err := s.Evidence.FindForModerator(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return GetRecordEvidence200JSONResponse{Success: true, Data: toVerification(found)}, nil
}

// DownloadEvidence implements GET /desk/records/{id}/replay.
func (s *Server) DownloadEvidence(
	ctx context.Context, req DownloadEvidenceRequestObject,
) (DownloadEvidenceResponseObject, error) {
	found, err := s.Evidence.FindForModerator(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	download, err := s.Evidence.OpenReplay(ctx, found)
	if err != nil {
		return nil, err
	}
	return attachment{download, "private, no-cache", httpserve.Request(ctx)}, nil
}
