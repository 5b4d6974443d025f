package app_test

import (
	"testing"

	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/telemetry"
)

// These tests are not parallel, because tracing is a setting of the whole process.

const (
	clientTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	clientParent = "00-" + clientTrace + "-00f067aa0ba902b7-01"
)

func TestGateway_trace_headers_without_tracing(t *testing.T) {
	b := setup(t, nil)
	b.get(t, "/api/v1/stats", "Traceparent", clientParent, "Tracestate", "a=b", "Baggage", "c=d")
	for _, name := range []string{"Traceparent", "Tracestate", "Baggage"} {
		if got := b.records.last(t).header.Get(name); got != "" {
			t.Errorf("%s arrived as %q", name, got)
		}
	}
}

func TestGateway_sampling(t *testing.T) {
	for name, tt := range map[string]struct {
		ratio telemetry.Ratio
		flags string
	}{
		"nothing is sampled":    {0, "00"},
		"everything is sampled": {1, "01"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, func(cfg *app.Config, b *bundle) {
				cfg.Tracing = telemetry.Config{Endpoint: b.keys.URL, Ratio: tt.ratio}
			})
			b.get(t, "/api/v1/stats", "Traceparent", clientParent, "Tracestate", "a=b", "Baggage", "c=d")
			got := b.records.last(t).header
			if parent := got.Get("Traceparent"); len(parent) != 55 || parent[3:35] != clientTrace || parent[53:] != tt.flags {
				t.Errorf("the service got %q", parent)
			}
			if got.Get("Tracestate") != "" || got.Get("Baggage") != "" {
				t.Errorf("trace headers of the client arrived: %v", got)
			}
		})
	}
}
