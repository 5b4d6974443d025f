package httpserve_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
)

func TestNewEngine_metrics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/things/:id", func(c *gin.Context) {
		want := "# TYPE http_requests_in_flight gauge\n" +
			"# HELP http_requests_in_flight Requests that are being answered, without streams.\nhttp_requests_in_flight 1\n"
		if err := testutil.GatherAndCompare(b.metrics, strings.NewReader(want), "http_requests_in_flight"); err != nil {
			t.Error(err)
		}
		c.String(http.StatusOK, "a thing")
	})
	b.engine.POST("/things/:id", func(c *gin.Context) {
		httpserve.Render(c, problem.Conflict("thing_exists", "There is such a thing."))
	})
	b.get(t, "/things/1")
	b.get(t, "/things/2")
	b.get(t, "/healthz")
	b.get(t, "/nowhere")
	b.serve(t, httptest.NewRequest(http.MethodPost, "/things/1", nil))
	b.serve(t, httptest.NewRequest("FLOOD1", "/things/1", nil))
	b.serve(t, httptest.NewRequest("FLOOD2", "/elsewhere", nil))

	for name, want := range map[string]string{
		"http_problems_total": `
			# HELP http_problems_total Requests that were refused or failed, by route and the problem's code.
			# TYPE http_problems_total counter
			http_problems_total{code="method_not_allowed",route="none"} 1
			http_problems_total{code="not_found",route="none"} 2
			http_problems_total{code="thing_exists",route="/things/:id"} 1
		`,
		"http_requests_in_flight": `
			# HELP http_requests_in_flight Requests that are being answered, without streams.
			# TYPE http_requests_in_flight gauge
			http_requests_in_flight 0
		`,
	} {
		if err := testutil.GatherAndCompare(b.metrics, strings.NewReader(want), name); err != nil {
			t.Error(err)
		}
	}
	counts := map[string]uint64{}
	families, err := b.metrics.Gather()
	require.NoError(t, err)
	for _, family := range families {
		for _, m := range family.GetMetric() {
			series := family.GetName()
			for _, label := range m.GetLabel() {
				series += " " + label.GetValue()
			}
			counts[series] = m.GetHistogram().GetSampleCount()
		}
	}
	for series, want := range map[string]uint64{
		"http_request_duration_seconds GET /things/:id 200":  2,
		"http_request_duration_seconds POST /things/:id 409": 1,
		"http_request_duration_seconds GET none 404":         1,
		"http_request_duration_seconds other none 405":       1,
		"http_request_duration_seconds other none 404":       1,
		"http_response_size_bytes /things/:id":               3,
	} {
		if counts[series] != want {
			t.Errorf("%s: %d, want %d in %v", series, counts[series], want, counts)
		}
	}
}

func TestNewEngine_log(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.Any("/things/:id", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	b.get(t, "/things/1?name=secret")
	if b.log.Len() > 0 {
		t.Errorf("a read is logged: %s", b.log)
	}
	r := httptest.NewRequest(http.MethodPost, "/things/1?name=secret", nil)
	r.Header.Set(httpserve.RequestIDHeader, "request-12345")
	b.serve(t, r)
	line := b.log.String()
	for _, part := range []string{"requestId=request-12345", "route=/things/:id", "method=POST", "status=204"} {
		if !strings.Contains(line, part) {
			t.Errorf("%s is missing in %s", part, line)
		}
	}
	if strings.Contains(line, "secret") {
		t.Errorf("the query is logged: %s", line)
	}
}

// It is not parallel: a process traces or does not.
func TestNewEngine_spans(t *testing.T) {
	const traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	recorder := tracetest.NewSpanRecorder()
	t.Cleanup(telemetry.Record(recorder))
	b := setup(t)
	b.engine.POST("/things/:id", func(c *gin.Context) {
		slog.New(telemetry.LogHandler(slog.NewTextHandler(b.log, nil))).InfoContext(c.Request.Context(), "made")
		c.Status(http.StatusServiceUnavailable)
	})
	r := httptest.NewRequest(http.MethodPost, "/things/1?code=123456", nil)
	r.RemoteAddr = "203.0.113.7:4711"
	r.Header.Set("User-Agent", "Browser/1.0")
	r.Header.Set("Traceparent", "00-"+traceID+"-00f067aa0ba902b7-01")
	b.serve(t, r)
	b.get(t, "/healthz")

	if lines := strings.Split(strings.TrimSpace(b.log.String()), "\n"); len(lines) != 2 ||
		strings.Count(b.log.String(), "traceId="+traceID) != 2 {
		t.Errorf("both lines should carry the trace's id:\n%s", b.log)
	}
	ended := recorder.Ended()
	if len(ended) != 1 {
		t.Fatalf("%d spans", len(ended))
	}
	span := ended[0]
	if span.Name() != "POST /things/:id" || span.SpanContext().TraceID().String() != traceID ||
		span.Status().Description != "Service Unavailable" {
		t.Errorf("the span is %q of %s, %+v", span.Name(), span.SpanContext().TraceID(), span.Status())
	}
	for _, a := range span.Attributes() {
		for _, personal := range []string{"203.0.113.7", "123456", "browser"} {
			if strings.Contains(a.Value.String(), personal) {
				t.Errorf("%s holds %s", a.Key, personal)
			}
		}
	}
}
