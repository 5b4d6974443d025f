// Package httpapi serves auth's part of the API. It translates between requests and use cases.
package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/personaltoken"
	"capzone.dev/services/auth/internal/session"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml -o openapi.gen.go ../../api/openapi.yaml

// Server implements StrictServerInterface.
type Server struct {
	Logins   *login.Logins
	Sessions *session.Sessions
	Tokens   *personaltoken.Tokens
	// Keys are the public keys of access tokens, as a JSON Web Key Set.
	Keys json.RawMessage
	// Site is the address of the site, which decides about cookies and origins.
	Site    service.SiteURL
	Metrics Metrics
}

// Register adds the routes of the API to an engine, and the keys that the other services read.
func Register(engine *gin.Engine, server *Server) {
	group := engine.Group("/api/v1", noStore, sameSiteOnly(server.Site))
	RegisterHandlersWithOptions(group, NewStrictHandler(server), GinServerOptions{ErrorHandler: httpserve.RenderBinding})
	engine.GET("/.well-known/jwks.json", func(c *gin.Context) {
		c.Header("Cache-Control", "max-age=60")
		c.Data(http.StatusOK, "application/jwk-set+json", server.Keys)
	})
}

func (s *Server) cookies() cookies { return cookiesOf(s.Site) }

// Metrics count requests by outcome: "given", or the code of the problem.
type Metrics struct{ rooms, logins, refreshes *httpserve.Outcomes }

// NewMetrics registers and returns the counters.
func NewMetrics(registerer prometheus.Registerer) Metrics {
	return Metrics{
		rooms: httpserve.NewOutcomes(registerer, "auth_room_requests_total",
			"Requests for a verification room, by outcome: given (a new one, or the browser's own) or the problem's code.",
			"given"),
		logins: httpserve.NewOutcomes(registerer, "auth_logins_total",
			"Codes that were entered, by outcome: given (a session) or the problem's code.", "given"),
		refreshes: httpserve.NewOutcomes(registerer, "auth_refreshes_total",
			"Requests for a new access token, by outcome: given or the problem's code.", "given"),
	}
}

// noStore keeps caches from storing answers and the gateway from giving them an ETag.
func noStore(c *gin.Context) { c.Header("Cache-Control", "no-store") }

// sameSiteOnly refuses requests that come from another site, because two of the GETs change
// something. The gateway refuses them as well.
func sameSiteOnly(site service.SiteURL) gin.HandlerFunc {
	return func(c *gin.Context) {
		header := c.Request.Header
		if from := header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" && from != "none" {
			httpserve.Render(c, session.ErrForeignSite)
			return
		}
		if origins := header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && !site.IsOrigin(origins[0]) {
			httpserve.Render(c, session.ErrForeignSite)
		}
	}
}
