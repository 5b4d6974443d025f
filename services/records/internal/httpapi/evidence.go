package httpapi

import (
	"context"

	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
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

// GetRecordVerification implements GET /records/{id}/verification.
func (s *Server) GetRecordVerification(
	ctx context.Context, req GetRecordVerificationRequestObject,
) (GetRecordVerificationResponseObject, error) {
	found, err := s.Evidence.Find(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.MapKey(found.MapID), httpserve.PlayerKey(found.PlayerID))
	return GetRecordVerification200JSONResponse{Success: true, Data: toVerification(found)}, nil
}

func toVerification(of leaderboard.Evidence) Verification {
	return Verification{
		CheckedAt: httpserve.TimeText(of.CreatedAt),
		Checks: httpserve.List(of.Checks, func(c replaycheck.Check) VerificationCheck {
			return VerificationCheck{
				Name: string(c.Name), Result: VerificationResult(c.Result), Sentence: leaderboard.CheckSentence(c),
			}
		}),
		NotChecked: httpserve.List(leaderboard.MissingChecks, func(c leaderboard.MissingCheck) MissingCheck {
			return MissingCheck(c)
		}),
	}
}
