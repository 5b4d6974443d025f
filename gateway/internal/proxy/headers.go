package proxy

import (
	"maps"
	"net/http"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/telemetry"
)

const (
	// pagePolicy lets pages load from the site alone. Styles may be inline because the component library writes them at
	// run time; images may be data or blobs for previews of uploads, workers for reading replays.
	pagePolicy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; " +
		"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	// filePolicy is for the services' responses, none of which is a page.
	filePolicy = "default-src 'none'; frame-ancestors 'none'"

	policyHeader      = "Content-Security-Policy"
	transportSecurity = "Strict-Transport-Security"
)

// SecurityHeaders returns the headers that every response carries. Secure says that the site is served over TLS.
func SecurityHeaders(secure bool) http.Header {
	header := http.Header{
		policyHeader:                   {pagePolicy},
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"strict-origin-when-cross-origin"},
		"Permissions-Policy":           {"camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
	}
	if secure {
		header[transportSecurity] = []string{"max-age=31536000"} // one year, in seconds
	}
	return header
}

// Edge wraps the engine: it sets the security headers, determines the client's address, has bodies arrive at a least
// rate, and removes the headers that only the gateway may set.
func Edge(secure bool, trusted client.TrustedProxies, next http.Handler) http.Handler {
	headers := SecurityHeaders(secure)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), headers)
		address, err := client.Address(r, trusted)
		if err != nil {
			httpserve.WriteProblem(w, telemetry.NewRequestID(), httpserve.ErrMalformed.Wrap(err))
			return
		}
		stripTrace(r.Header)
		r.Header.Del(httpserve.RequestIDHeader)
		r.Header.Del(httpserve.ClientAddressHeader)
		r = r.WithContext(client.WithAddress(r.Context(), address))
		paceBody(w, r) // of the copy: net/http looks at the body of its own request
		next.ServeHTTP(w, r)
	})
}

// stripTrace removes what a client says of a trace, except for the trace's id where the gateway traces: the gateway
// decides itself what is sampled.
func stripTrace(h http.Header) {
	for _, name := range telemetry.TraceHeaders {
		if name != "Traceparent" || !telemetry.Enabled() {
			h.Del(name)
		}
	}
}

// stripRequest removes from a request what concerns only the client and the gateway, and the header by which net/http
// takes a request for repeatable.
func stripRequest(h http.Header) {
	for _, name := range []string{"Connection", "Upgrade", "Expect", "X-Real-Ip", "Idempotency-Key", "X-Idempotency-Key"} {
		h.Del(name)
	}
}

var strippedHeaders = SecurityHeaders(true)

// stripResponse removes from a service's response what the gateway sets itself.
func stripResponse(h http.Header) {
	for name := range strippedHeaders {
		h.Del(name)
	}
	h.Del(httpserve.RequestIDHeader)
	h.Del("Server")
}
