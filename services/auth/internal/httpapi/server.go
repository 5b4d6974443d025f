// Package httpapi serves auth's part of the API. It translates between requests and use cases.
package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/session"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml ../../api/openapi.yaml

// Server implements StrictServerInterface.
type Server struct {
	Login    *login.Service
	Sessions *session.Service
	// Keys are the public keys of access tokens, as a JSON Web Key Set.
	Keys json.RawMessage
	// Site is the address of the site, which decides about cookies and origins.
	Site     service.SiteURL
	Outcomes Outcomes
}

// Register adds the routes of the API to an engine, and the keys that the other services read.
func Register(engine *gin.Engine, server *Server) {
	handler := NewStrictHandler(server, StrictGinServerOptions{
		RequestErrorHandlerFunc: httpserve.RenderMalformed,
		HandlerErrorFunc:        httpserve.Render,
	})
	RegisterHandlersWithOptions(engine.Group("/api/v1", noStore, sameSiteOnly(server.Site)), handler, GinServerOptions{
		ErrorHandler: httpserve.RenderBinding,
	})
	engine.GET("/.well-known/jwks.json", func(c *gin.Context) {
		c.Header("Cache-Control", "max-age=60")
		c.Data(http.StatusOK, "application/jwk-set+json", server.Keys)
	})
}

func (s *Server) cookies() cookies { return cookiesOf(s.Site) }
