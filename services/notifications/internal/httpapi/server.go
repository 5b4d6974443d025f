// Package httpapi serves the notifications' part of the API. It translates between requests and use cases.
package httpapi

import (
	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml -o openapi.gen.go ../../api/openapi.yaml

// MaxBody bounds the bytes of a request, as at the gateway.
const MaxBody = 16 << 10

// Server implements StrictServerInterface.
type Server struct {
	Inbox    *notification.Inbox
	Follows  *notification.Follows
	Webhooks *webhook.Webhooks
}

// Register adds the routes of the API to an engine.
func Register(engine *gin.Engine, server *Server) {
	RegisterHandlersWithOptions(engine, NewStrictHandler(server), GinServerOptions{
		BaseURL: "/api/v1", ErrorHandler: httpserve.RenderBinding,
	})
}

func playerRef(p notification.Player) PlayerRef {
	return PlayerRef{
		UnderscoreId: p.ID, Name: p.Name,
		SkinImageUrl: httpserve.OrNull(p.SkinImageURL), SkinColor: httpserve.OrNull(p.SkinColor),
	}
}

func mapRef(m notification.Map) MapRef { return MapRef{UnderscoreId: m.ID, Name: m.Name} }
