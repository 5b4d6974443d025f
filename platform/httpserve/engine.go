// Package httpserve is the HTTP server of every process: a gin engine with the common
// middleware, the envelope of failures, the caller of a request, forms and page parameters,
// surrogate keys, and a server that finishes the requests in flight before it stops.
package httpserve

import (
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

// Options say what an engine needs.
type Options struct {
	Log *slog.Logger
	// Verifier verifies the tokens for Caller. It may be nil where no route calls that.
	Verifier token.Verifier
	// MaxBody bounds the bytes of a request's body; 0 means 64 KiB.
	MaxBody int64
	// Registerer registers the metrics of requests, unless it is nil.
	Registerer prometheus.Registerer
}

const defaultMaxBody = 64 << 10

// The engine's own responses.
var (
	errNoRoute  = problem.NotFound("not_found", "There is nothing at this address.")
	errNoMethod = problem.MethodNotAllowed("method_not_allowed", "This address does not take that method.")
	errPanic    = problem.Internal("internal", "Something went wrong on our side. Please try again later.")
)

func init() { gin.SetMode(gin.ReleaseMode) }

// Paths of health checks. The gateway checks HealthPath on the API's port; supervisors check
// both on the operations port.
const (
	HealthPath = "/healthz"
	ReadyPath  = "/readyz"
)

// NewEngine returns an engine that gives each request an id, a span, a log line, metrics, a
// bounded body and recovery from panics, answers unknown routes with the envelope, and GET
// /healthz with 200. Handlers pass the request's context on, not gin's, which is reused for
// the next request.
func NewEngine(o Options) *gin.Engine {
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	_ = engine.SetTrustedProxies(nil) // the gateway determines addresses (ClientAddress)

	m := newMetrics(o.Registerer)
	engine.Use(withRequestContext(o, m.problems))
	if telemetry.Enabled() {
		engine.Use(traceRequest)
	}
	engine.Use(m.observe(o.Log), recoverPanic, limitBody(o.MaxBody), addETag)
	engine.NoRoute(func(c *gin.Context) { DiscardBody(c); Render(c, errNoRoute) })
	engine.NoMethod(func(c *gin.Context) { DiscardBody(c); Render(c, errNoMethod) })
	engine.GET(HealthPath, func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	return engine
}

func recoverPanic(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler { //nolint:errorlint // a panic value, compared as net/http does
			panic(p)
		}
		Render(c, errPanic.Wrap(panicError{p, debug.Stack()}))
	}()
	c.Next()
}

func limitBody(limit int64) gin.HandlerFunc {
	if limit == 0 {
		limit = defaultMaxBody
	}
	return func(c *gin.Context) {
		if c.Request.ContentLength > limit {
			DiscardBody(c)
			Render(c, ErrBodyTooLarge)
			return
		}
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
		c.Next()
	}
}

// ErrBodyTooLarge refuses a request whose body is over the limit.
var ErrBodyTooLarge = problem.TooLarge("body_too_large", "The request is too large.")
