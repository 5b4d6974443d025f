package httpserve

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/platform/telemetry"
)

// metrics are the metrics of an engine's requests.
type metrics struct {
	duration *prometheus.HistogramVec
	size     *prometheus.HistogramVec
	inFlight prometheus.Gauge
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
			Help: "Requests that are being answered.",
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
		defer m.inFlight.Dec()
		c.Next()
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

func routeOf(c *gin.Context) string {
	if route := c.FullPath(); route != "" {
		return route
	}
	return noRoute
}

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
