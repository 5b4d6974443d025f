package telemetry

import (
	"context"
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

// Exchange begins the part that a request has in the trace of ctx, and puts what
// the other side is told of it into header. End ends it with the answer's status.
func Exchange(ctx context.Context, method, host, path string, header http.Header) (_ context.Context, end func(status int, err error)) {
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
