// Package crossorigin lets pages of other sites read what everybody can read, and what a personal token can. Browsers
// leave cookies out of these requests.
package crossorigin

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/rs/cors"
)

// preflightMaxAge is how long a browser need not ask again whether it may send a request.
const preflightMaxAge = time.Hour

// Sharing shares paths with the pages of all sites.
type Sharing struct {
	paths map[string]bool
	cors  *cors.Cors
}

// New returns the sharing of paths, which are gin patterns.
func New(paths []string) *Sharing {
	s := &Sharing{paths: map[string]bool{}, cors: cors.New(cors.Options{
		AllowedMethods: []string{http.MethodGet, http.MethodHead},
		AllowedHeaders: []string{"Authorization", "If-None-Match", "Last-Event-ID"},
		ExposedHeaders: []string{"ETag", "RateLimit", "RateLimit-Policy", "Retry-After"},
		MaxAge:         int(preflightMaxAge.Seconds()),
	})}
	for _, path := range paths {
		s.paths[path] = true
	}
	return s
}

// SetHeaders is the middleware that sets the headers of CORS. It comes before those that refuse requests, so that a
// page can read why it is refused.
func (s *Sharing) SetHeaders(c *gin.Context) {
	if s.paths[c.FullPath()] {
		s.cors.HandlerFunc(c.Writer, c.Request)
	}
}

// Register adds the answers to preflight requests to an engine that has SetHeaders.
func (s *Sharing) Register(engine *gin.Engine) {
	for path := range s.paths {
		engine.OPTIONS(path, func(c *gin.Context) { c.Status(http.StatusNoContent) })
	}
}
