package telemetry

import (
	"context"
	"log/slog"
	"maps"
	"regexp"
	"slices"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// RequestIDHeader is the header with a request's id, in HTTP and in messages.
const RequestIDHeader = "X-Request-Id"

// traces writes and reads traceparent and tracestate.
var traces propagation.TraceContext

// TraceHeaders are the headers of HTTP requests that carry a trace context.
var TraceHeaders = []string{"Traceparent", "Tracestate", "Baggage"}

type requestIDKey struct{}

var wellFormedID = regexp.MustCompile(`^[0-9A-Za-z._-]{8,64}$`)

// NewRequestID returns a new request id.
func NewRequestID() string {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.NewString() // panics where there is no randomness at all
	}
	return id.String()
}

// IsRequestID reports whether id is well-formed, so that it may be logged.
func IsRequestID(id string) bool { return wellFormedID.MatchString(id) }

// WithRequestID returns a context for work on the request with this id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Headers returns the headers of a message that carry ctx's request id and trace
// context to its receiver. It is never nil.
func Headers(ctx context.Context) map[string][]string {
	headers := carrier{}
	traces.Inject(ctx, headers)
	if id := RequestID(ctx); id != "" {
		headers.Set(RequestIDHeader, id)
	}
	return headers
}

// FromHeaders returns ctx with the request id and trace context of Headers.
func FromHeaders(ctx context.Context, headers map[string][]string) context.Context {
	if id := carrier(headers).Get(RequestIDHeader); IsRequestID(id) {
		ctx = WithRequestID(ctx, id)
	}
	return traces.Extract(ctx, carrier(headers))
}

// carrier is a propagation.TextMapCarrier that keeps the case of names, as NATS does.
type carrier map[string][]string

func (c carrier) Get(name string) string {
	if values := c[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

func (c carrier) Set(name, value string) { c[name] = []string{value} }

func (c carrier) Keys() []string { return slices.Collect(maps.Keys(c)) }

// LogHandler returns a handler that adds the ids of the request, the trace and the
// span to each log record with such a context.
func LogHandler(next slog.Handler) slog.Handler { return handler{next} }

type handler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, record slog.Record) error {
	if id := RequestID(ctx); id != "" {
		record.AddAttrs(slog.String("requestId", id))
	}
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		record.AddAttrs(slog.String("traceId", span.TraceID().String()), slog.String("spanId", span.SpanID().String()))
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
