package outbox_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/telemetry"
)

// A delivery is part of the trace of the request that changed something, and
// knows the request's id. It is not parallel: a process traces or does not.
func TestRelay_continues_traces(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	t.Cleanup(telemetry.Record(recorder))
	b := setup(t)

	ctx, request := telemetry.Begin(telemetry.WithRequestID(t.Context(), "request-12345"), trace.SpanKindServer,
		"POST /records")
	err := postgres.InTx(ctx, b.pool, func(tx pgx.Tx) error {
		return outbox.Append(ctx, tx, event.PlayerState{ID: "p1", Version: 1})
	})
	request.End()
	require.NoError(t, err)

	delivered := make(chan context.Context, 1)
	consumeOne(t, b, event.RecordsCopies, func(ctx context.Context, _ string, _ event.Envelope) error {
		delivered <- ctx
		return nil
	})
	b.startRelay(t)
	got := <-delivered
	if id := telemetry.RequestID(got); id != "request-12345" {
		t.Errorf("the delivery belongs to the request %q", id)
	}
	if id := trace.SpanContextFromContext(got).TraceID(); id != request.SpanContext().TraceID() {
		t.Errorf("the delivery belongs to the trace %s", id)
	}

	// From the request to the delivery each span is the child of the one before.
	spans := map[string]sdktrace.ReadOnlySpan{}
	eventually.WaitFor(t, "all spans to end", func() bool {
		for _, s := range recorder.Ended() {
			spans[s.Name()] = s
		}
		return spans["process records-copies"] != nil && spans["publish state.v1.player"] != nil
	})
	for _, chain := range [][2]string{
		{"process records-copies", "publish state.v1.player"}, {"publish state.v1.player", "POST /records"},
	} {
		if child, parent := spans[chain[0]], spans[chain[1]]; child.Parent().SpanID() != parent.SpanContext().SpanID() {
			t.Errorf("%q is no child of %q", chain[0], chain[1])
		}
	}
}

func consumeOne(t *testing.T, b *bundle, c event.Consumer, h eventbus.Handler) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	_, js := b.nats.Connect()
	go func() {
		defer close(done)
		_ = eventbus.Consume(ctx, js, c, eventbus.Enveloped(h), slog.New(slog.DiscardHandler))
	}()
	t.Cleanup(func() { cancel(); <-done })
}
