package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

// DownloadReplay implements GET /download/replays/{id}.
func (s *Server) DownloadReplay(
	ctx context.Context, req DownloadReplayRequestObject,
) (DownloadReplayResponseObject, error) {
	download, err := s.Downloader.Download(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	s.Metrics.downloads.Inc()
	return attachment{download, httpserve.Request(ctx)}, nil
}

// attachment is a replay that browsers save as a file.
type attachment struct {
	record.Download
	request *http.Request
}

// VisitDownloadReplayResponse implements DownloadReplayResponseObject.
func (a attachment) VisitDownloadReplayResponse(w http.ResponseWriter) error {
	defer a.File.Close()
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", disposition(a.Name))
	header.Set("X-Content-Type-Options", "nosniff")
	// A record may be removed: a cache must ask again.
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", `"`+a.Hash+`"`)
	http.ServeContent(w, a.request, "", a.ModifiedAt, a.File)
	return nil
}

// disposition returns a Content-Disposition with the file name in ASCII, for old clients, and
// in UTF-8 (RFC 6266).
func disposition(name string) string {
	var ascii, encoded strings.Builder
	for _, r := range name {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			r = '_'
		}
		ascii.WriteRune(r)
	}
	for _, b := range []byte(name) {
		if isAttrChar(b) {
			encoded.WriteByte(b)
		} else {
			fmt.Fprintf(&encoded, "%%%02X", b)
		}
	}
	return fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''%s`, &ascii, &encoded)
}

// isAttrChar reports whether RFC 8187 leaves a byte unencoded.
func isAttrChar(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' ||
		strings.IndexByte("!#$&+-.^_`|~", b) >= 0
}
