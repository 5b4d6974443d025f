// Package httpapi serves the maps' part of the API. It translates between requests and use cases.
package httpapi

import (
	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/maps/internal/parkourmap"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml -o openapi.gen.go ../../api/openapi.yaml

// Server implements the generated server interface.
type Server struct {
	Reader    *parkourmap.Reader
	Submitter *parkourmap.Submitter
	Editor    *parkourmap.Editor
	Images    httpserve.Images
	Metrics   *Metrics
	Previews  *sharecard.Renderer
}

// Metrics counts submissions.
type Metrics struct{ submissions *httpserve.Outcomes }

// NewMetrics returns metrics that are registered.
func NewMetrics(registerer prometheus.Registerer) *Metrics {
	return &Metrics{httpserve.NewOutcomes(registerer, "maps_submissions_total",
		"Maps that players submitted, by outcome: accepted or the problem's code.", "accepted")}
}

// Register adds the API's routes to an engine.
func Register(engine *gin.Engine, server *Server) {
	RegisterHandlersWithOptions(engine, NewStrictHandler(server), GinServerOptions{
		BaseURL: "/api/v1", ErrorHandler: httpserve.RenderBinding,
	})
	httpserve.ServeImages(engine, "maps", server.Images)
}
