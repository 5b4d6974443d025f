package redisclient_test

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/redisclient"
	"capzone.dev/platform/telemetry"
)

// It is not parallel: traces are the process's.
func TestConnect_metrics_and_spans_without_keys(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	t.Cleanup(telemetry.Record(recorder))
	registry := prometheus.NewRegistry()
	client, err := redisclient.Connect(redistest.Start(t), time.Second, registry)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })

	ctx, request := telemetry.Begin(t.Context(), trace.SpanKindServer, "GET /")
	if err := client.Get(ctx, "session:secret").Err(); err != redis.Nil { //nolint:errorlint // as the client returns it
		t.Fatal(err)
	}
	if err := client.Do(ctx, "nosuchcommand", "secret").Err(); err == nil {
		t.Fatal("the command is known")
	}
	request.End()
	require.NoError(t, client.Ping(t.Context()).Err())

	counts := measured(t, registry)
	for series, want := range map[string]uint64{"get ok": 1, "get error": 0, "nosuchcommand error": 1, "ping ok": 1} {
		if counts[series] != want {
			t.Errorf("%s was measured %d times, want %d", series, counts[series], want)
		}
	}
	names := map[string]bool{}
	for _, span := range recorder.Ended() {
		names[span.Name()] = true
		for _, a := range span.Attributes() {
			if strings.Contains(a.Value.String(), "secret") {
				t.Errorf("%s holds %s", span.Name(), a.Value.String())
			}
		}
	}
	if !names["redis get"] || names["redis ping"] {
		t.Errorf("the spans are %v: a ping outside of a request is none", names)
	}
}

func TestConnect_invalid_url(t *testing.T) {
	t.Parallel()
	if _, err := redisclient.Connect("redis://:pa ss@host", time.Second, nil); err == nil ||
		err.Error() != "REDIS_URL is not a URL like redis://host:port/0" {
		t.Errorf("error %v", err)
	}
}

func measured(t *testing.T, registry *prometheus.Registry) map[string]uint64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	counts := map[string]uint64{}
	for _, family := range families {
		if family.GetName() != "redis_request_duration_seconds" {
			continue
		}
		for _, m := range family.GetMetric() {
			series := m.GetLabel()[0].GetValue() + " " + m.GetLabel()[1].GetValue()
			counts[series] = m.GetHistogram().GetSampleCount()
		}
	}
	return counts
}
