package telemetry

import (
	"context"
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
	out := r.Clone(r.Context())
	ctx, end := Exchange(r.Context(), r.Method, r.URL.Host, r.URL.Path, out.Header)
	resp, err := t.next.RoundTrip(out.WithContext(ctx))
	if err != nil {
		end(0, err)
		return nil, err
	}
	end(resp.StatusCode, nil)
	return resp, nil
}

// Exchange starts a client span and writes the trace context to header. The function
// end ends the span with the response's status.
func Exchange(ctx context.Context, method, host, path string, header http.Header) (_ context.Context,
	end func(status int, err error)) {
	if !Enabled() {
		return ctx, func(int, error) {}
	}
	ctx, span := Child(ctx, trace.SpanKindClient, method,
		semconv.HTTPRequestMethodKey.String(method), semconv.ServerAddress(host), semconv.URLPath(path))
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(header))
	return ctx, func(status int, err error) {
		if err == nil {
			span.SetAttributes(semconv.HTTPResponseStatusCode(status))
			if status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, http.StatusText(status))
			}
		}
		End(span, err)
	}
}
