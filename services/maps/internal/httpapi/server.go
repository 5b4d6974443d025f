// Package httpapi serves the maps' part of the API. It translates between requests and use
// cases.
package httpapi

import (
	"context"
	"io"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml ../../api/openapi.yaml

// Server implements the generated server interface.
type Server struct {
	Reader    *parkourmap.Reader
	Submitter *parkourmap.Submitter
	Images    ImageFiles
	Outcomes  Outcomes
}

// ImageFiles opens the images of maps.
type ImageFiles interface {
	// Open returns parkourmap.ErrNoFile where there is no image under key. The caller closes
	// the file.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, error)
}

// Register adds the API's routes to an engine.
func Register(engine *gin.Engine, server *Server) {
	handler := NewStrictHandler(server, StrictGinServerOptions{
		RequestErrorHandlerFunc: httpserve.RenderBody,
		HandlerErrorFunc:        httpserve.Render,
	})
	RegisterHandlersWithOptions(engine, handler, GinServerOptions{
		BaseURL:      "/api/v1",
		ErrorHandler: httpserve.RenderBinding,
	})
	engine.GET("/media/maps/:file", server.getImage)
	engine.HEAD("/media/maps/:file", server.getImage)
}
