// Package httpapi serves the moderation's part of the API. It translates between requests and use cases.
package httpapi

import (
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml -o openapi.gen.go ../../api/openapi.yaml

// MaxBody bounds the bytes of a request, as at the gateway.
const MaxBody = 16 << 10

// Server implements StrictServerInterface.
type Server struct {
	Reports    *moderation.Reports
	Desk       *moderation.Desk
	Appeals    *moderation.Appeals
	AuditLog   *moderation.AuditLog
	Statistics *moderation.Statistics
	Things     *moderation.Things
}

// Register adds the routes of the API to an engine.
func Register(engine *gin.Engine, server *Server) {
	RegisterHandlersWithOptions(engine, NewStrictHandler(server), GinServerOptions{
		BaseURL: "/api/v1", ErrorHandler: httpserve.RenderBinding,
	})
}

// defaultLimit is the number of rows on a page where a request names none.
const defaultLimit = 50

// parseTime reads a time of a request. Nil is the zero value.
func parseTime(field string, text *string) (time.Time, error) {
	if text == nil {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, *text)
	if err != nil {
		return time.Time{}, httpserve.ErrMalformed.WithField(field, "malformed", "is no time such as 2026-05-11T18:02:33Z")
	}
	return t, nil
}
