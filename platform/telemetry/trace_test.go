package telemetry

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// sampled tells whether a server's span would be recorded under a parent.
func sampled(cfg Config, tier Tier, parent trace.SpanContext) bool {
	exporter := tracetest.NewInMemoryExporter()
	provider := newProvider(cfg, tier, exporter)
	defer func() { _ = provider.Shutdown(context.Background()) }()
	ctx := trace.ContextWithRemoteSpanContext(context.Background(), parent)
	_, span := provider.Tracer("test").Start(ctx, "GET /")
	defer span.End()
	if parent.IsValid() && span.SpanContext().TraceID() != parent.TraceID() {
		panic("the trace does not go on")
	}
	return span.SpanContext().IsSampled()
}

func remote(flags trace.TraceFlags) trace.SpanContext {
	return trace.NewSpanContext(trace.SpanContextConfig{
		// An id of zeros but the last digit falls under every ratio of its own.
		TraceID: trace.TraceID{15: 1}, SpanID: trace.SpanID{1}, TraceFlags: flags, Remote: true,
	})
}

func TestAStrangerDoesNotDecideWhatIsSampled(t *testing.T) {
	t.Parallel()
	const never, always = 0, 1
	for name, tt := range map[string]struct {
		cfg    Config
		tier   Tier
		parent trace.SpanContext
		want   bool
	}{
		"a stranger wants it, the sampler does not": {Config{Ratio: never}, Edge, remote(trace.FlagsSampled), false},
		"a stranger does not, the sampler does":     {Config{Ratio: always}, Edge, remote(0), true},
		"a stranger says nothing":                   {Config{Ratio: always}, Edge, trace.SpanContext{}, true},
		"all are sampled":                           {Config{Sampler: SampleAll}, Edge, remote(0), true},
		"none is sampled": {Config{Sampler: SampleNone, Ratio: always}, Edge,
			remote(trace.FlagsSampled), false},
		"the gateway wants it":                  {Config{Ratio: never}, Internal, remote(trace.FlagsSampled), true},
		"the gateway does not":                  {Config{Ratio: always}, Internal, remote(0), false},
		"a service begins a trace, and samples": {Config{Ratio: always}, Internal, trace.SpanContext{}, true},
		"a service begins a trace, and doesn't": {Config{Ratio: never}, Internal, trace.SpanContext{}, false},
	} {
		if got := sampled(tt.cfg, tt.tier, tt.parent); got != tt.want {
			t.Errorf("%s: sampled is %v", name, got)
		}
	}

	var some int
	for range 1000 {
		if sampled(Config{Ratio: .1}, Edge, remote(trace.FlagsSampled)) {
			some++
		}
	}
	if some == 0 || some > 300 {
		t.Errorf("of 1000 requests in a well-chosen trace, %d are sampled at a ratio of 0.1", some)
	}
}

func TestNothingIsTracedUnlessACollectorIsNamed(t *testing.T) {
	for name, cfg := range map[string]Config{
		"no collector":   {Exporter: OTLP},
		"no exporter":    {Endpoint: "http://127.0.0.1:4318", Exporter: None},
		"switched off":   {Endpoint: "http://127.0.0.1:4318", Exporter: OTLP, Disabled: true},
		"off for traces": {TracesEndpoint: "http://127.0.0.1:4318/v1/traces", Exporter: None},
	} {
		stop, err := Start(t.Context(), "test", Internal, cfg, slog.New(slog.DiscardHandler))
		if err != nil || Enabled() {
			t.Errorf("%s: %v, enabled %v", name, err, Enabled())
		}
		stop()
	}
	next := http.DefaultTransport
	if Transport(next) != next {
		t.Error("a transport is wrapped for nothing")
	}
}

func TestSpansReachTheCollectorAndTheTraceTheOtherSide(t *testing.T) {
	posted := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		posted <- r.URL.Path
	}))
	defer collector.Close()
	stop, err := Start(t.Context(), "test", Internal, Config{Endpoint: collector.URL, Sampler: SampleAll},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var traceparent string
	neighbour := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		traceparent = r.Header.Get("Traceparent")
	}))
	defer neighbour.Close()

	ctx, span := Begin(t.Context(), trace.SpanKindServer, "GET /")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, neighbour.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := Transport(http.DefaultTransport).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	End(span, nil)
	parent := span.SpanContext()
	if len(traceparent) != 55 || traceparent[3:35] != parent.TraceID().String() ||
		traceparent[36:52] == parent.SpanID().String() {
		t.Errorf("the neighbour was told %q in the span %s of %s", traceparent, parent.SpanID(), parent.TraceID())
	}
	stop()
	if path := <-posted; path != "/v1/traces" {
		t.Errorf("spans were sent to %s", path)
	}
	if Enabled() {
		t.Error("the process traces on")
	}
}

func TestOnlyPartsOfASampledTraceAreSpans(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	t.Cleanup(Record(recorder))
	_, span := Child(t.Context(), trace.SpanKindClient, "ping")
	span.End()
	if ended := recorder.Ended(); len(ended) > 0 {
		t.Errorf("a health check became the trace %v", ended)
	}
	ctx, root := Begin(t.Context(), trace.SpanKindServer, "GET /")
	_, span = Child(ctx, trace.SpanKindClient, "ping")
	span.End()
	root.End()
	if ended := recorder.Ended(); len(ended) != 2 || ended[0].Parent().SpanID() != root.SpanContext().SpanID() {
		t.Errorf("ended %v", ended)
	}
}

// What a process pays that does not trace.
func BenchmarkNotTracing(b *testing.B) {
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		_, span := Child(ctx, trace.SpanKindClient, "ping")
		End(span, nil)
	}
}
