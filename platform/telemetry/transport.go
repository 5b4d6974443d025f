package telemetry

import (
	"net/http"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"
)

// Transport returns a transport that records a client span for each request and
// propagates the trace context. A span ends with the response's header. It has no
// query, which may hold a visitor's search; otelhttp would record it. If the process
// does not trace, Transport returns next.
func Transport(next http.RoundTripper) http.RoundTripper {
	if !Enabled() {
		return next
	}
	return transport{next}
}

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := Child(r.Context(), trace.SpanKindClient, r.Method, semconv.HTTPRequestMethodKey.String(r.Method),
		semconv.ServerAddress(r.URL.Host), semconv.URLPath(r.URL.Path))
	out := r.Clone(ctx)
	traces.Inject(ctx, propagation.HeaderCarrier(out.Header))
	resp, err := t.next.RoundTrip(out)
	if err == nil {
		span.SetAttributes(semconv.HTTPResponseStatusCode(resp.StatusCode))
		if resp.StatusCode >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(resp.StatusCode))
		}
	}
	End(span, err)
	return resp, err
}
