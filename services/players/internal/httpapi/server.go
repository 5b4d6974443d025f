// Package httpapi serves the players' part of the API: it translates between
// requests and use cases, and decides nothing.
package httpapi

import (
	"context"
	"io"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml ../../api/openapi.yaml

// MaxBody bounds the bytes of a request, as the gateway does: enough that most
// images that are too large are answered as such.
const MaxBody = 2 << 20

// UseCases is what the API offers.
type UseCases struct {
	Directory *player.Directory
	Profiles  player.Profiles
	Updater   *player.Updater
	Avatars   AvatarFiles
}

// AvatarFiles opens avatar images.
type AvatarFiles interface {
	// Open returns player.ErrNoFile. The caller closes the file.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, error)
}

// Register adds the API's routes to an engine.
func Register(engine *gin.Engine, use UseCases) {
	s := &server{use}
	handler := NewStrictHandler(s, StrictGinServerOptions{
		RequestErrorHandlerFunc: httpserve.RenderBody,
		HandlerErrorFunc:        httpserve.Render,
	})
	RegisterHandlersWithOptions(engine, handler, GinServerOptions{
		BaseURL:      "/api/v1",
		ErrorHandler: httpserve.RenderBinding,
	})
	engine.GET("/media/skins/:file", s.serveAvatar)
	engine.HEAD("/media/skins/:file", s.serveAvatar)
}

// server implements StrictServerInterface.
type server struct {
	use UseCases
}
