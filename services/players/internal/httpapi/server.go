// Package httpapi serves the players' part of the API. It translates between requests and use cases.
package httpapi

import (
	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/players/internal/player"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml -o openapi.gen.go ../../api/openapi.yaml

// MaxBody bounds the bytes of a request, as at the gateway. It is above the limit of an image, so
// that most images that are too large get an answer that names the limit.
const MaxBody = 2 << 20

// Server implements StrictServerInterface.
type Server struct {
	Reader   *player.Reader
	Updater  *player.Updater
	Deleter  *player.Deleter
	Accounts *player.Accounts
	Avatars  httpserve.Images
	Previews *sharecard.Renderer
}

// Register adds the routes of the API to an engine.
func Register(engine *gin.Engine, server *Server) {
	RegisterHandlersWithOptions(engine, NewStrictHandler(server), GinServerOptions{
		BaseURL: "/api/v1", ErrorHandler: httpserve.RenderBinding,
	})
	httpserve.ServeImages(engine, "skins", server.Avatars)
}
