// Package httpserve is the HTTP server of every process: a gin engine with the common
// middleware, the envelope of failures, the caller of a request, forms and page parameters,
// surrogate keys, and a server that finishes the requests in flight before it stops.
package httpserve

import (
	"cmp"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

// Options say what an engine needs.
type Options struct {
	Log *slog.Logger
	// Service is the name of the service, of the gateway empty. A service refuses requests for another one, and those
	// whose query cannot be read.
	Service string
	// Verifier verifies the tokens for Caller. It may be nil where no route calls that.
	Verifier *token.Verifier
	// MaxBody bounds the bytes of a request's body; 0 means 64 KiB.
	MaxBody int64
	// Registerer registers the metrics of requests, unless it is nil.
	Registerer prometheus.Registerer
}

const defaultMaxBody = 64 << 10

// The engine's own responses.
var (
	errNoRoute = problem.NotFound("not_found", "There is nothing at this address.")
	errPanic   = problem.Internal("internal", "Something went wrong on our side. Please try again later.")
)

// ErrNoMethod refuses a method that an address does not take.
var ErrNoMethod = problem.MethodNotAllowed("method_not_allowed", "This address does not take that method.")

func init() { gin.SetMode(gin.ReleaseMode) }

// Paths of health checks. The gateway checks HealthPath on the API's port; supervisors check
// both on the operations port.
const (
	HealthPath = "/healthz"
	ReadyPath  = "/readyz"
)

// NewEngine returns an engine that gives each request an id, a span, a log line, metrics, a bounded body and
// recovery from panics, answers unknown routes with the envelope, and GET /healthz with 200. Handlers pass the
// request's context on, not gin's, which is reused for the next request.
func NewEngine(o Options) *gin.Engine {
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	_ = engine.SetTrustedProxies(nil) // the gateway determines addresses (ClientAddress)

	m := newMetrics(o.Registerer)
	engine.Use(withRequestContext(o, m))
	if telemetry.Enabled() {
		engine.Use(traceRequest)
	}
	engine.Use(m.observe(o.Log), recoverPanic, refuseMisdirected(o.Service), limitBody(o.MaxBody), ignoreRanges, addETag)
	if o.Service != "" {
		engine.Use(readQuery)
	}
	engine.NoRoute(func(c *gin.Context) { DiscardBody(c); Render(c, errNoRoute) })
	engine.NoMethod(func(c *gin.Context) { DiscardBody(c); Render(c, ErrNoMethod) })
	engine.GET(HealthPath, func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	return engine
}

// AnswerHEAD has an engine answer HEAD wherever it answers GET, with the same headers and no body, which net/http
// leaves out. It is called after all routes were added, each of which has one handler.
func AnswerHEAD(engine *gin.Engine) {
	for _, r := range engine.Routes() {
		if r.Method == http.MethodGet {
			engine.HEAD(r.Path, r.HandlerFunc)
		}
	}
}

// ignoreRanges answers a request for more than one range of a file as one for all of it, as RFC 9110, section 14.2,
// allows: each range costs the server a part of the response.
func ignoreRanges(c *gin.Context) {
	if ranges := c.Request.Header["Range"]; len(ranges) > 1 || strings.Contains(c.GetHeader("Range"), ",") {
		c.Request.Header.Del("Range")
	}
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

// refuseMisdirected answers requests for another service with 421. The gateway sends them for some seconds after a
// replica of that service has ended and this one got its address.
func refuseMisdirected(service string) gin.HandlerFunc {
	return func(c *gin.Context) {
		if wanted := c.GetHeader(ServiceHeader); service != "" && wanted != "" && wanted != service {
			DiscardBody(c)
			c.AbortWithStatus(http.StatusMisdirectedRequest)
		}
	}
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

// metrics are the metrics of an engine's requests.
type metrics struct {
	duration *prometheus.HistogramVec
	size     *prometheus.HistogramVec
	inFlight prometheus.Gauge
	streams  prometheus.Gauge
	problems *prometheus.CounterVec
}

func newMetrics(registerer prometheus.Registerer) metrics {
	factory := promauto.With(registerer) // which may be nil
	return metrics{
		duration: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "http_request_duration_seconds",
			Help:    "How long requests took, by route, method and status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method", "status"}),
		size: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "http_response_size_bytes",
			Help:    "Sizes of the bodies of answers, by route.",
			Buckets: []float64{256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20},
		}, []string{"route"}),
		inFlight: factory.NewGauge(prometheus.GaugeOpts{
			Name: "http_requests_in_flight",
			Help: "Requests that are being answered, without streams.",
		}),
		streams: factory.NewGauge(prometheus.GaugeOpts{
			Name: "http_streams_in_flight",
			Help: "Responses without an end that are being sent.",
		}),
		problems: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "http_problems_total",
			Help: "Requests that were refused or failed, by route and the problem's code.",
		}, []string{"route", "code"}),
	}
}

// observe logs and measures each request. Reads are logged at the level debug. Neither log
// nor metrics contain the query, the body or the caller.
func (m metrics) observe(log *slog.Logger) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.FullPath() == HealthPath {
			c.Next()
			return
		}
		start := time.Now()
		m.inFlight.Inc()
		rc := requestContextOf(c.Request.Context())
		defer func() {
			if rc.isStream {
				AtEnd(c.Request.Context(), m.streams.Dec)
			} else {
				m.inFlight.Dec()
			}
		}()
		c.Next()
		if rc.isStream {
			return
		}
		took, route, method, status := time.Since(start), routeOf(c), methodOf(c.Request), c.Writer.Status()
		m.duration.WithLabelValues(route, method, strconv.Itoa(status)).Observe(took.Seconds())
		m.size.WithLabelValues(route).Observe(float64(max(c.Writer.Size(), 0)))
		level := slog.LevelInfo
		if method == http.MethodGet || method == http.MethodHead || route == noRoute {
			level = slog.LevelDebug
		}
		log.LogAttrs(c.Request.Context(), level, "request",
			slog.String("method", method),
			slog.String("route", route),
			slog.Int("status", status),
			slog.Duration("took", took))
	}
}

const noRoute = "none"

func routeOf(c *gin.Context) string { return cmp.Or(c.FullPath(), noRoute) }

// methodOf returns the method of a request, "other" for one that is not known, so that
// clients cannot create metrics.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return r.Method
	}
	return "other"
}

// traceRequest makes a span of each request. It contains neither the query nor the client's
// address, which OpenTelemetry's own middleware records.
func traceRequest(c *gin.Context) {
	if c.FullPath() == HealthPath {
		c.Next()
		return
	}
	ctx := propagation.TraceContext{}.Extract(c.Request.Context(), propagation.HeaderCarrier(c.Request.Header))
	route, method := routeOf(c), methodOf(c.Request)
	ctx, span := telemetry.Begin(ctx, trace.SpanKindServer, method+" "+route,
		semconv.HTTPRequestMethodKey.String(method), semconv.HTTPRoute(route),
		attribute.String("request.id", telemetry.RequestID(ctx)))
	defer span.End()
	c.Request = c.Request.WithContext(ctx)
	c.Next()
	status := c.Writer.Status()
	span.SetAttributes(semconv.HTTPResponseStatusCode(status))
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, http.StatusText(status))
	}
}

// Outcomes counts the requests of one kind by outcome: success, or the code of the problem.
type Outcomes struct {
	counter *prometheus.CounterVec
	success string
}

// NewOutcomes returns a registered counter. success is the outcome of a request without a problem.
func NewOutcomes(registerer prometheus.Registerer, name, help, success string) *Outcomes {
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"outcome"})
	counter.WithLabelValues(success)
	registerer.MustRegister(counter)
	return &Outcomes{counter, success}
}

// Count counts a request that ended with err.
func (o *Outcomes) Count(err error) { o.counter.WithLabelValues(problem.Outcome(err, o.success)).Inc() }
