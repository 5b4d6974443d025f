// Package httpapi serves the maps' part of the API: it translates between
// requests and use cases, and decides nothing.
package httpapi

import (
	"context"
	"io"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml ../../api/openapi.yaml

// UseCases is what the API offers.
type UseCases struct {
	Reader    *parkourmap.Reader
	Submitter *parkourmap.Submitter
	Pictures  PictureFiles
	// Outcomes are counted.
	Outcomes Outcomes
}

// PictureFiles opens the pictures of maps.
type PictureFiles interface {
	// Open returns parkourmap.ErrNoFile. The caller closes the file.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, error)
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
	pictures := &pictures{use.Pictures}
	engine.GET("/media/maps/:file", pictures.serve)
	engine.HEAD("/media/maps/:file", pictures.serve)
}

// server implements StrictServerInterface.
type server struct {
	use UseCases
}
