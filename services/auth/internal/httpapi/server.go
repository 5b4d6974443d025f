// Package httpapi serves auth's part of the API: it translates between requests
// and use cases, and decides nothing.
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

// UseCases is what the API offers.
type UseCases struct {
	Login    *login.Service
	Sessions *session.Service
	// Keys are the public keys of access tokens, as a JSON Web Key Set.
	Keys json.RawMessage
	// Site decides about cookies and about which origins are the site's own.
	Site service.SiteURL
	// Outcomes are counted.
	Outcomes Outcomes
}

// Register adds the API's routes to an engine, and the keys, which the gateway
// does not route: services read them.
func Register(engine *gin.Engine, use UseCases) {
	handler := NewStrictHandler(&server{use: use, cookies: cookiesOf(use.Site)}, StrictGinServerOptions{
		RequestErrorHandlerFunc: httpserve.RenderMalformed,
		HandlerErrorFunc:        httpserve.Render,
	})
	RegisterHandlersWithOptions(engine.Group("/api/v1", neverStored, ownSiteOnly(use.Site)), handler, GinServerOptions{
		ErrorHandler: httpserve.RenderBinding,
	})
	engine.GET("/.well-known/jwks.json", func(c *gin.Context) {
		c.Header("Cache-Control", "max-age=60")
		c.Data(http.StatusOK, "application/jwk-set+json", use.Keys)
	})
}

// server implements StrictServerInterface.
type server struct {
	use     UseCases
	cookies cookies
}
