package telemetry

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/devstack/require"
)

// sampled reports whether a server's span under a remote parent is sampled.
func sampled(ratio Ratio, tier Tier, parent trace.SpanContext) bool {
	provider := sdktrace.NewTracerProvider(sdktrace.WithSampler(ratio.sampler(tier)))
	defer func() { _ = provider.Shutdown(context.Background()) }()
	ctx := trace.ContextWithRemoteSpanContext(context.Background(), parent)
	_, span := provider.Tracer("test").Start(ctx, "GET /")
	defer span.End()
	if parent.IsValid() && span.SpanContext().TraceID() != parent.TraceID() {
		panic("the span is in another trace than its parent")
	}
	return span.SpanContext().IsSampled()
}

func remote(flags trace.TraceFlags) trace.SpanContext {
	return trace.NewSpanContext(trace.SpanContextConfig{
		// sdktrace.TraceIDRatioBased samples this id at every ratio.
		TraceID: trace.TraceID{15: 1}, SpanID: trace.SpanID{1}, TraceFlags: flags, Remote: true,
	})
}

func TestRatio_sampler(t *testing.T) {
	t.Parallel()
	const never, always = 0, 1
	for name, tt := range map[string]struct {
		ratio  Ratio
		tier   Tier
		parent trace.SpanContext
		want   bool
	}{
		"edge, ratio 0, client sets the flag":    {never, Edge, remote(trace.FlagsSampled), false},
		"edge, ratio 1, client clears the flag":  {always, Edge, remote(0), true},
		"edge, ratio 1, no parent":               {always, Edge, trace.SpanContext{}, true},
		"internal, ratio 0, sampled by the edge": {never, Internal, remote(trace.FlagsSampled), true},
		"internal, ratio 1, dropped by the edge": {always, Internal, remote(0), false},
		"internal, ratio 1, no parent":           {always, Internal, trace.SpanContext{}, true},
		"internal, ratio 0, no parent":           {never, Internal, trace.SpanContext{}, false},
	} {
		if got := sampled(tt.ratio, tt.tier, tt.parent); got != tt.want {
			t.Errorf("%s: sampled is %v, want %v", name, got, tt.want)
		}
	}

	var some int
	for range 1000 {
		if sampled(.1, Edge, remote(trace.FlagsSampled)) {
			some++
		}
	}
	if some == 0 || some > 300 {
		t.Errorf("of 1000 requests in one trace, %d are sampled at a ratio of 0.1", some)
	}
}

func TestStart_without_a_collector(t *testing.T) {
	for name, cfg := range map[string]Config{
		"no collector": {},
		"disabled":     {Endpoint: "http://127.0.0.1:4318", Disabled: true},
	} {
		stop, err := Start(t.Context(), "test", Internal, cfg, slog.New(slog.DiscardHandler))
		if err != nil || Enabled() {
			t.Errorf("%s: %v, enabled %v", name, err, Enabled())
		}
		stop()
	}
	next := http.DefaultTransport
	if Transport(next) != next {
		t.Error("Transport wraps a transport of a process that does not trace")
	}
}

func TestTransport_propagates_the_trace(t *testing.T) {
	posted := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		posted <- r.URL.Path
	}))
	defer collector.Close()
	stop, err := Start(t.Context(), "test", Internal, Config{Endpoint: collector.URL, Ratio: 1},
		slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	var traceparent string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		traceparent = r.Header.Get("Traceparent")
	}))
	defer server.Close()

	ctx, span := Begin(t.Context(), trace.SpanKindServer, "GET /")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	require.NoError(t, err)
	resp, err := Transport(http.DefaultTransport).RoundTrip(req)
	require.NoError(t, err)
	_ = resp.Body.Close()
	End(span, nil)
	parent := span.SpanContext()
	if len(traceparent) != 55 || traceparent[3:35] != parent.TraceID().String() ||
		traceparent[36:52] == parent.SpanID().String() {
		t.Errorf("the server received the trace context %q in the span %s of %s",
			traceparent, parent.SpanID(), parent.TraceID())
	}
	stop()
	if path := <-posted; path != "/v1/traces" {
		t.Errorf("spans were sent to %s", path)
	}
	if Enabled() {
		t.Error("the process still traces after stop")
	}
}

func TestChild_needs_a_sampled_trace(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	t.Cleanup(Record(recorder))
	_, span := Child(t.Context(), trace.SpanKindClient, "ping")
	span.End()
	if ended := recorder.Ended(); len(ended) > 0 {
		t.Errorf("a child without a parent was recorded: %v", ended)
	}
	ctx, root := Begin(t.Context(), trace.SpanKindServer, "GET /")
	_, span = Child(ctx, trace.SpanKindClient, "ping")
	span.End()
	root.End()
	if ended := recorder.Ended(); len(ended) != 2 || ended[0].Parent().SpanID() != root.SpanContext().SpanID() {
		t.Errorf("ended %v", ended)
	}
}
