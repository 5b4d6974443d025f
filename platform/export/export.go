// Package export has the file of everything that the site stores of a player: one JSON object a line. Each service
// serves its part under Path, which the gateway puts together.
package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/postgres"
)

const (
	// Path is where each service serves its part, and the gateway the whole.
	Path = "/api/v1/me/export"
	// ContentType is the media type of the file.
	ContentType = "application/x-ndjson"
)

// Line is a line of the file but the last one.
type Line struct {
	Service string          `json:"service"`
	Kind    string          `json:"kind"`
	Data    json.RawMessage `json:"data"`
}

// EndKind is the kind of the last line.
const EndKind = "end"

// End is the last line of a part and of the whole file.
type End struct {
	Kind     string `json:"kind"`
	Complete bool   `json:"complete"`
	// Missing are the services whose parts are missing or were cut off.
	Missing []string `json:"missing,omitempty"`
}

// Part is one kind of thing that a service stores of a player.
type Part struct {
	Kind string
	// SQL selects the things of the player @player after the key @after, a text, in the order of their keys, at most
	// @limit: the key as text, under a name of its own so that things are not ordered by the text, and the thing as JSON.
	SQL string
	// First is a key before all others: FirstID, or that of another type.
	First string
	// Tables are what SQL exports. A test compares them with the database.
	Tables []string
}

// FirstID is the Part.First of keys that are ids.
const FirstID = "00000000-0000-0000-0000-000000000000"

// pageSize is how many things are in memory at a time.
const pageSize = 200

// Exporter exports what a service stores of a player.
type Exporter struct {
	Service string
	DB      postgres.Conn
	Parts   []Part
	// Resolve returns the id of the player whom a player was merged into, or the player's own where the rows keep it. It
	// returns access.ErrDeleted for a player whose account was deleted.
	Resolve func(ctx context.Context, playerID string) (string, error)
	Log     *slog.Logger
}

// row is a row of Part.SQL.
type row struct {
	Key  string
	Data json.RawMessage
}

// Write writes everything of a player, and End. The connection to the database is free while w takes a page.
func (e *Exporter) Write(ctx context.Context, w io.Writer, playerID string) error {
	encoder := json.NewEncoder(w)
	for _, part := range e.Parts {
		for after, more := part.First, true; more; {
			rows, err := postgres.Collect(ctx, e.DB, pgx.RowToStructByPos[row], part.SQL,
				pgx.NamedArgs{"player": playerID, "after": after, "limit": pageSize})
			if err != nil {
				return fmt.Errorf("export of %s: %w", part.Kind, err)
			}
			for _, r := range rows {
				if err := encoder.Encode(Line{e.Service, part.Kind, r.Data}); err != nil {
					return err
				}
				after = r.Key
			}
			more = len(rows) == pageSize
		}
	}
	return encoder.Encode(End{Kind: EndKind, Complete: true})
}

// Serve adds the route of the service's part to an engine. An answer without End is not complete.
func (e *Exporter) Serve(engine *gin.Engine) {
	engine.GET(Path, func(c *gin.Context) {
		ctx := c.Request.Context()
		actor, err := httpserve.Actor(ctx)
		if err == nil {
			err = actor.Require(access.ExportOwnData)
		}
		var playerID string
		if err == nil {
			playerID, err = e.Resolve(ctx, actor.ID)
		}
		if err != nil {
			httpserve.Render(c, err)
			return
		}
		defer httpserve.BeginStream(c)()
		httpserve.PaceWrites(c)
		c.Header("Content-Type", ContentType)
		c.Header("Cache-Control", "no-store")
		c.Status(http.StatusOK)
		c.Writer.Flush() // the gateway waits for the beginning for some seconds only
		if err := e.Write(c.Request.Context(), c.Writer, playerID); err != nil {
			if !errors.Is(err, context.Canceled) {
				e.Log.WarnContext(ctx, "an export was cut off", "error", err)
			}
			panic(http.ErrAbortHandler) // the reader must not take it for the whole
		}
	})
}
