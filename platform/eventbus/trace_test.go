package eventbus_test

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/devstack/eventually"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/telemetry"
)

// It is not parallel because tracing is switched on for the whole process.
func TestServeRPC_continues_request_and_trace(t *testing.T) {
	t.Cleanup(telemetry.Record(tracetest.NewSpanRecorder()))
	b := setup(t)
	contexts := make(chan context.Context, 10)
	serveGetPlayer(t, b, func(ctx context.Context, q event.GetPlayer) (event.PlayerState, error) {
		contexts <- ctx
		return event.PlayerState{ID: q.ID}, nil
	})
	ctx, span := telemetry.Begin(telemetry.WithRequestID(t.Context(), "request-12345"), trace.SpanKindServer,
		"GET /players")
	defer span.End()
	eventually.WaitFor(t, "an answer", func() bool {
		_, err := eventbus.Call[event.PlayerState](ctx, b.nc, event.GetPlayerSubject, event.GetPlayer{ID: "p1"})
		return err == nil
	})
	got := <-contexts
	if telemetry.RequestID(got) != "request-12345" ||
		trace.SpanContextFromContext(got).TraceID() != span.SpanContext().TraceID() {
		t.Errorf("the handler has request %q and trace %s",
			telemetry.RequestID(got), trace.SpanContextFromContext(got).TraceID())
	}
}
