package httpserve

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/platform/telemetry"
)

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
