package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
)

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
