package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"go.opentelemetry.io/otel/trace"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/telemetry"
)

const (
	traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	spanID  = "00f067aa0ba902b7"
)

// headers returns the headers of a message.
func headers() map[string][]string {
	return map[string][]string{
		"X-Request-Id": {
			"request-12345",
		}, "Traceparent": {"00-" + traceID + "-" + spanID + "-01"}, "Nats-Msg-Id": {"m1"},
	}
}

func TestFromHeaders_Headers(t *testing.T) {
	t.Parallel()
	want := headers()
	delete(want, "Nats-Msg-Id")
	ctx := telemetry.FromHeaders(t.Context(), headers())
	assert.Equal(t, "headers", want, telemetry.Headers(ctx))
	if got := telemetry.Headers(telemetry.FromHeaders(t.Context(), nil)); got == nil || len(got) != 0 {
		t.Errorf("no headers became %v", got)
	}
}

func TestFromHeaders_invalid(t *testing.T) {
	t.Parallel()
	for name, values := range map[string][]string{
		"line break":         {"request\n12345"},
		"too short":          {"abc"},
		"too long":           {string(bytes.Repeat([]byte("a"), 65))},
		"no value":           {},
		"characters of JSON": {`request","level":"ERROR`},
	} {
		ctx := telemetry.FromHeaders(
			t.Context(),
			map[string][]string{"X-Request-Id": values, "Traceparent": {"00-zz-zz-01"}},
		)
		if id := telemetry.RequestID(ctx); id != "" {
			t.Errorf("%s: accepted as the request id %q", name, id)
		}
		if trace.SpanContextFromContext(ctx).IsValid() {
			t.Errorf("%s: the context has a trace", name)
		}
	}
}

func TestLogHandler_Handle(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(telemetry.LogHandler(slog.NewJSONHandler(&out, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))).With("service", "records")
	line := func(ctx context.Context) (line map[string]any) {
		t.Helper()
		out.Reset()
		log.InfoContext(ctx, "stored", "map", "m1")
		require.NoError(t, json.Unmarshal(out.Bytes(), &line))
		return line
	}
	want := map[string]any{"level": "INFO", "msg": "stored", "service": "records", "map": "m1"}
	assert.Equal(t, "outside of a request", want, line(t.Context()))
	want["requestId"], want["traceId"], want["spanId"] = "request-12345", traceID, spanID
	assert.Equal(t, "within a request", want, line(telemetry.FromHeaders(t.Context(), headers())))
}
