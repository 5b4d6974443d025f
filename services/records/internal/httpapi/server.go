// Package httpapi serves the records' part of the API: it translates between
// requests and use cases, and decides nothing.
package httpapi

import (
	"context"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml ../../api/openapi.yaml

// MaxBody bounds the bytes of a request, as the gateway does: enough that most
// replays that are too large are answered as such.
const MaxBody = 2 << 20

// UseCases is what the API offers.
type UseCases struct {
	Reader     *record.Reader
	Submitter  *record.Submitter
	Downloader *record.Downloader
	Totals     record.Totals
	// Outcomes are counted.
	Outcomes Outcomes
}

// Register adds the API's routes to an engine.
func Register(engine *gin.Engine, use UseCases) {
	handler := NewStrictHandler(&server{use}, StrictGinServerOptions{
		RequestErrorHandlerFunc: httpserve.RenderBody,
		HandlerErrorFunc:        httpserve.Render,
	})
	RegisterHandlersWithOptions(engine, handler, GinServerOptions{
		BaseURL:      "/api/v1",
		ErrorHandler: httpserve.RenderBinding,
	})
}

// server implements StrictServerInterface.
type server struct {
	use UseCases
}

// GetStats implements GET /stats.
func (s *server) GetStats(ctx context.Context, _ GetStatsRequestObject) (GetStatsResponseObject, error) {
	stats, err := s.use.Totals.Stats(ctx)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.StatsKey)
	return GetStats200JSONResponse{Success: true, Data: Stats{
		TotalMaps: stats.Maps, TotalPlayers: stats.Players, TotalRecords: stats.Records,
	}}, nil
}
