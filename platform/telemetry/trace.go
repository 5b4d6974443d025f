// Package telemetry connects logs, messages and traces by request ids and W3C trace contexts, and sends spans
// to an OpenTelemetry collector if the environment names one. Otherwise no span is recorded.
package telemetry

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Config is the part of OpenTelemetry's standard environment that enables tracing and
// selects what is sampled. The exporter itself reads all OTEL_EXPORTER_OTLP_ variables.
type Config struct {
	Endpoint       string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	TracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"`
	Disabled       bool   `env:"OTEL_SDK_DISABLED"`
	Ratio          Ratio  `env:"OTEL_TRACES_SAMPLER_ARG" envDefault:"1"`
}

// Ratio is the share of traces that is sampled.
type Ratio float64

// UnmarshalText accepts 0 to 1.
func (r *Ratio) UnmarshalText(text []byte) error {
	ratio, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(ratio >= 0 && ratio <= 1) {
		return fmt.Errorf("%q is not a number from 0 to 1", text)
	}
	*r = Ratio(ratio)
	return nil
}

// Tier is where a process's requests come from.
type Tier int

// The tiers.
const (
	// Internal processes get requests from the project's own processes only.
	Internal Tier = iota
	// Edge processes get requests from clients.
	Edge
)

// sampler returns the sampler of a process. A client may select the trace that a request belongs
// to, but neither the sampling flag nor the id that it sends decides whether the trace is sampled.
func (r Ratio) sampler(tier Tier) sdktrace.Sampler {
	if tier == Edge {
		return sdktrace.ParentBased(r, sdktrace.WithRemoteParentSampled(r), sdktrace.WithRemoteParentNotSampled(r))
	}
	return sdktrace.ParentBased(r)
}

// ShouldSample implements sdktrace.Sampler. The decision is random, unlike that of
// sdktrace.TraceIDRatioBased, which depends on the trace's id.
func (r Ratio) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	result := sdktrace.SamplingResult{
		Decision:   sdktrace.Drop,
		Tracestate: trace.SpanContextFromContext(p.ParentContext).TraceState(),
	}
	if rand.Float64() < float64(r) {
		result.Decision = sdktrace.RecordAndSample
	}
	return result
}

// Description implements sdktrace.Sampler.
func (r Ratio) Description() string { return fmt.Sprintf("random{%g}", float64(r)) }

// flushTimeout bounds the export of the last spans when a process stops.
const flushTimeout = 3 * time.Second

// tracer is nil while the process does not trace.
var tracer atomic.Pointer[trace.Tracer]

// Enabled reports whether the process traces. Instrumentation with a cost of its own is installed only if it does.
func Enabled() bool { return tracer.Load() != nil }

// Start starts tracing, if cfg enables it, until stop is called. It is called before
// instrumented clients and servers are created.
func Start(ctx context.Context, process string, tier Tier, cfg Config, log *slog.Logger) (stop func(), err error) {
	if cfg.Disabled || cfg.Endpoint == "" && cfg.TracesEndpoint == "" {
		return func() {}, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(
		cmp.Or(cfg.TracesEndpoint, strings.TrimSuffix(cfg.Endpoint, "/")+"/v1/traces")))
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(semconv.ServiceNamespace("capzone"), semconv.ServiceName(process)),
		resource.WithHost(), resource.WithProcessPID(), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("tracing: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("spans were not sent", "error", err) }))
	return install(sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about),
		sdktrace.WithSampler(cfg.Ratio.sampler(tier)))), nil
}

// Record sends all spans of the process to a processor, for tests.
func Record(processor sdktrace.SpanProcessor) (stop func()) {
	return install(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(processor)))
}

func install(provider *sdktrace.TracerProvider) (stop func()) {
	otel.SetTracerProvider(provider) // for libraries
	own := provider.Tracer("capzone.dev/platform/telemetry")
	tracer.Store(&own)
	return func() {
		tracer.Store(nil)
		otel.SetTracerProvider(noop.NewTracerProvider())
		ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			otel.Handle(err)
		}
	}
}

// Begin starts a span, which may be the root of its trace. If the process does not trace, the span is a no-op.
func Begin(
	ctx context.Context, kind trace.SpanKind, name string, attributes ...attribute.KeyValue,
) (context.Context, trace.Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, noop.Span{}
	}
	return (*t).Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
}

// Child starts a span in a sampled trace; otherwise the span is a no-op. Work without
// a request, such as a health check, is therefore not traced.
func Child(
	ctx context.Context, kind trace.SpanKind, name string, attributes ...attribute.KeyValue,
) (context.Context, trace.Span) {
	if !Enabled() || !trace.SpanContextFromContext(ctx).IsSampled() {
		return ctx, noop.Span{}
	}
	return Begin(ctx, kind, name, attributes...)
}

// End ends a span, with an error status if err is not nil.
func End(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}

// Transport returns a transport that records a client span for each request and propagates the trace context. A
// span ends with the response's header. It has no query, which may hold a visitor's search; otelhttp would
// record it. If the process does not trace, Transport returns next.
func Transport(next http.RoundTripper) http.RoundTripper {
	if !Enabled() {
		return next
	}
	return transport{next}
}

type transport struct{ next http.RoundTripper }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := Child(r.Context(), trace.SpanKindClient, r.Method, semconv.HTTPRequestMethodKey.String(r.Method),
		semconv.ServerAddress(r.URL.Host), semconv.URLPath(r.URL.Path))
	out := r.Clone(ctx)
	traces.Inject(ctx, propagation.HeaderCarrier(out.Header))
	resp, err := t.next.RoundTrip(out)
	if err == nil {
		span.SetAttributes(semconv.HTTPResponseStatusCode(resp.StatusCode))
		if resp.StatusCode >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(resp.StatusCode))
		}
	}
	End(span, err)
	return resp, err
}

// RequestIDHeader is the header with a request's id, in HTTP and in messages.
const RequestIDHeader = "X-Request-Id"

// traces writes and reads traceparent and tracestate.
var traces propagation.TraceContext

// TraceHeaders are the headers of HTTP requests that carry a trace context.
var TraceHeaders = []string{"Traceparent", "Tracestate", "Baggage"}

type requestIDKey struct{}

var wellFormedID = regexp.MustCompile(`^[0-9A-Za-z._-]{8,64}$`)

// NewRequestID returns a new request id.
func NewRequestID() string { return uuid.Must(uuid.NewV7()).String() }

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
	headers := http.Header{}
	traces.Inject(ctx, propagation.HeaderCarrier(headers))
	if id := RequestID(ctx); id != "" {
		headers.Set(RequestIDHeader, id)
	}
	return headers
}

// FromHeaders returns ctx with the request id and trace context of Headers.
func FromHeaders(ctx context.Context, headers map[string][]string) context.Context {
	if id := http.Header(headers).Get(RequestIDHeader); IsRequestID(id) {
		ctx = WithRequestID(ctx, id)
	}
	return traces.Extract(ctx, propagation.HeaderCarrier(headers))
}

// LogHandler returns a handler that adds the ids of the request, the trace and the
// span to each log record with such a context.
func LogHandler(next slog.Handler) slog.Handler { return handler{next} }

type handler struct{ slog.Handler }

func (h handler) Handle(ctx context.Context, record slog.Record) error {
	if id := RequestID(ctx); id != "" {
		record.AddAttrs(slog.String("requestId", id))
	}
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		record.AddAttrs(slog.String("traceId", span.TraceID().String()), slog.String("spanId", span.SpanID().String()))
	}
	return h.Handler.Handle(ctx, record)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
