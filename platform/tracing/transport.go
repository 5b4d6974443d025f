package tracing

import (
	"net/http"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"
)

// Transport has the requests that go through next be part of the trace of their
// context, and tells the other side of it. A span ends with the answer's header.
// It holds no query: what people look for is nobody's business. A process that
// does not trace gets next itself.
func Transport(next http.RoundTripper) http.RoundTripper {
	if !Enabled() {
		return next
	}
	return transport{next}
}

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := Child(r.Context(), trace.SpanKindClient, r.Method,
		semconv.HTTPRequestMethodKey.String(r.Method), semconv.ServerAddress(r.URL.Host), semconv.URLPath(r.URL.Path))
	out := r.Clone(ctx)
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(out.Header))
	resp, err := t.next.RoundTrip(out)
	if err == nil {
		span.SetAttributes(semconv.HTTPResponseStatusCode(resp.StatusCode))
		if resp.StatusCode >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, resp.Status)
		}
	}
	End(span, err)
	return resp, err
}
