// Package tracing has a process send spans to an OpenTelemetry collector, where
// its environment names one, and makes the spans that no library makes. Where
// it names none nothing is recorded, and nothing costs anything.
package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// flushTimeout bounds the wait for the last spans when a process stops.
const flushTimeout = 3 * time.Second

// tracer is the process's, nil while it traces nothing.
var tracer atomic.Pointer[trace.Tracer]

// Enabled tells whether the process traces. What costs something even without a
// trace is only put in place where it does.
func Enabled() bool { return tracer.Load() != nil }

// Start has the process trace, where cfg says so, until stop is called. It is
// called before what it is to trace is put together.
func Start(ctx context.Context, process string, tier Tier, cfg Config, log *slog.Logger) (stop func(), err error) {
	if !cfg.on() {
		return func() {}, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(cfg.url()))
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
	return install(newProvider(cfg, tier, exporter, sdktrace.WithResource(about))), nil
}

func newProvider(cfg Config, tier Tier, exporter sdktrace.SpanExporter, options ...sdktrace.TracerProviderOption) *sdktrace.TracerProvider {
	return sdktrace.NewTracerProvider(append(options, sdktrace.WithBatcher(exporter), sdktrace.WithSampler(cfg.sampler(tier)))...)
}

// Record has the process hand the spans of whole traces to a processor, for tests.
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

// Begin begins a span that may be the first of its trace. It is no span where the
// process does not trace.
func Begin(ctx context.Context, kind trace.SpanKind, name string, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, noop.Span{}
	}
	return (*t).Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
}

// Child begins a span of a trace that is sampled; elsewhere it is no span. What
// a process does of its own accord, such as a health check, is so left out.
func Child(ctx context.Context, kind trace.SpanKind, name string, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
	if !Enabled() || !trace.SpanContextFromContext(ctx).IsSampled() {
		return ctx, noop.Span{}
	}
	return Begin(ctx, kind, name, attributes...)
}

// End ends a span and says whether what it is about went wrong.
func End(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}
