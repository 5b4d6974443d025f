package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"strings"

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

// DownloadReplay implements GET /download/replays/{id}.
func (s *Server) DownloadReplay(
	ctx context.Context, req DownloadReplayRequestObject,
) (DownloadReplayResponseObject, error) {
	found, err := s.Evidence.Find(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	download, err := s.Evidence.OpenReplay(ctx, found)
	if err != nil {
		return nil, err
	}
	s.Metrics.downloads.Inc()
	// A record may be removed: a cache must ask again.
	return attachment{download, "no-cache", httpserve.Request(ctx)}, nil
}

// attachment is a replay that browsers save as a file.
type attachment struct {
	leaderboard.Download

	cacheControl string
	request      *http.Request
}

// VisitDownloadReplayResponse implements DownloadReplayResponseObject.
func (a attachment) VisitDownloadReplayResponse(w http.ResponseWriter) error { return a.send(w) }

// VisitDownloadEvidenceResponse implements DownloadEvidenceResponseObject.
func (a attachment) VisitDownloadEvidenceResponse(w http.ResponseWriter) error { return a.send(w) }

func (a attachment) send(w http.ResponseWriter) error {
	defer a.File.Close()
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", disposition(a.Name))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", a.cacheControl)
	header.Set("ETag", `"`+a.Hash+`"`)
	http.ServeContent(w, a.request, "", a.ModifiedAt, a.File)
	return nil
}

// disposition returns a Content-Disposition with the file name in ASCII, for clients such as curl that know no
// other, and in UTF-8 (RFC 6266). mime.FormatMediaType would write one of the two.
func disposition(name string) string {
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, name)
	encoded := strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	return `attachment; filename="` + ascii + `"; filename*=UTF-8''` + encoded
}
