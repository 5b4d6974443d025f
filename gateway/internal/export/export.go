// Package export serves the file of everything that the site stores of a player, which the services' parts make up.
package export

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/export"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

// maxLine bounds a line, and with it the memory of an export.
const maxLine = 1 << 20

// partTimeout bounds the part of one service. Together they take 90 % of limit.ExportTimeout at most.
func partTimeout() time.Duration {
	return limit.ExportTimeout * 9 / 10 / time.Duration(len(services()))
}

// services returns the services of the routing table in the order in which they are asked: first the one that has the
// account.
func services() []route.Service {
	isPlayers := func(s route.Service) bool { return s == route.Players }
	return append([]route.Service{route.Players}, slices.DeleteFunc(route.Services(), isPlayers)...)
}

// Options are what the handler needs.
type Options struct {
	Pools    map[route.Service]*upstream.Pool
	Limits   *limit.Limits
	Verifier *token.Verifier
	Log      *slog.Logger
}

// Handler returns what answers requests for the file. A file that is not complete does not count for the limit.
func Handler(o Options) gin.HandlerFunc {
	return func(c *gin.Context) {
		claims, err := o.Verifier.Verify(httpserve.BearerToken(c.Request))
		if err != nil {
			httpserve.Render(c, err)
			return
		}
		if c.Request.Method == http.MethodHead { // does not count for the limit
			c.Header("Content-Type", export.ContentType)
			c.Status(http.StatusOK)
			return
		}
		finish, err := o.Limits.BeginExport(c.Request.Context(), claims.PlayerID)
		if err != nil {
			httpserve.Render(c, err)
			return
		}
		complete := false
		defer func() { finish(complete) }()
		defer httpserve.BeginStream(c)()
		httpserve.PaceWrites(c)
		c.Header("Content-Type", export.ContentType)
		c.Header("Content-Disposition", `attachment; filename="capzone-data.ndjson"`)
		c.Header("Cache-Control", "no-store")
		c.Header("X-Accel-Buffering", "no")
		c.Status(http.StatusOK)
		c.Writer.Flush()
		complete = o.write(c.Request, c.Writer)
	}
}

// write writes the parts of all services and the end. It reports whether the reader has got everything.
func (o Options) write(r *http.Request, w io.Writer) (complete bool) {
	end := export.End{Kind: export.EndKind}
	for _, name := range services() {
		err := o.writePart(r, w, name)
		if errors.Is(err, errReader) {
			return false
		}
		if err != nil {
			o.Log.WarnContext(r.Context(), "part of an export", "upstream", name, "error", err)
			end.Missing = append(end.Missing, string(name))
		}
	}
	end.Complete = len(end.Missing) == 0
	return json.NewEncoder(w).Encode(end) == nil && end.Complete
}

// errReader means that the client does not take the file.
var errReader = errors.New("the client takes no more")

var errCutOff = errors.New("the part has no end, or is not complete")

// writePart writes the part of one service without its end. It returns errReader, or why the part is not complete.
func (o Options) writePart(r *http.Request, w io.Writer, name route.Service) error {
	ctx, cancel := context.WithTimeout(r.Context(), partTimeout())
	defer cancel()
	asked, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+string(name)+export.Path, nil)
	if err != nil {
		return err
	}
	asked.Header.Set("Authorization", r.Header.Get("Authorization"))
	asked.Header.Set(httpserve.ClientAddressHeader, client.AddressOf(ctx))
	asked.Header.Set(httpserve.RequestIDHeader, telemetry.RequestID(ctx))
	resp, err := o.Pools[name].Repeatable().RoundTrip(asked)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers with the status %d", resp.StatusCode)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(make([]byte, 0, 4<<10), maxLine)
	for lines.Scan() {
		var end export.End
		switch err := json.Unmarshal(lines.Bytes(), &end); {
		case err != nil:
			return err
		case end.Kind == export.EndKind && end.Complete:
			return nil
		case end.Kind == export.EndKind:
			return errCutOff
		}
		if _, err := w.Write(append(lines.Bytes(), '\n')); err != nil {
			return errReader
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return errCutOff
}
