// Package httpserve is the HTTP side of every process: the gin engine with what
// each request goes through, the failure envelope, the caller behind a request,
// forms and pages from outside, and servers that finish what is in flight.
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
	// Verifier verifies the tokens that Caller is asked about. Nil where no
	// route asks.
	Verifier token.Verifier
	// MaxBody bounds the bytes of a request's body; 0 means 64 KiB.
	MaxBody int64
	// Registerer takes the metrics of requests; nil takes none.
	Registerer prometheus.Registerer
}

const defaultMaxBody = 64 << 10

// What the engine answers by itself.
var (
	errNoRoute  = problem.NotFound("not_found", "There is nothing at this address.")
	errNoMethod = problem.MethodNotAllowed("method_not_allowed", "This address does not take that method.")
	errPanic    = problem.Internal("internal", "Something went wrong on our side. Please try again later.")
)

func init() { gin.SetMode(gin.ReleaseMode) }

// Where a process is asked how it is: HealthPath on the API's port by the
// gateway, both on the operations port by whoever supervises it.
const (
	HealthPath = "/healthz"
	ReadyPath  = "/readyz"
)

// NewEngine returns an engine that gives each request an id, a span, a log line,
// metrics, a bounded body and a recovery, answers unknown routes with the
// envelope, and GET /healthz with 200. What a handler hands on is the request's
// context: gin's is the next request's as soon as this one is answered.
func NewEngine(o Options) *gin.Engine {
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	_ = engine.SetTrustedProxies(nil) // the gateway judges addresses (ClientAddress)

	m := newMetrics(o.Registerer)
	engine.Use(withExchange(o, m.problems))
	if telemetry.Enabled() {
		engine.Use(traceRequest)
	}
	engine.Use(m.observe(o.Log), recoverPanic, limitBody(o.MaxBody), tagAnswers)
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

// ErrBodyTooLarge says that a request's body is over the limit.
var ErrBodyTooLarge = problem.TooLarge("body_too_large", "The request is too large.")
