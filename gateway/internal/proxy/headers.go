package proxy

import (
	"maps"
	"net/http"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/platform/correlation"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/pages"
	"capzone.dev/platform/tracing"
)

const (
	// pagePolicy lets pages load from the site alone. Styles may be inline
	// because the site's component library writes them at run time; images may
	// be data or blobs for previews of uploads, workers for reading replays.
	pagePolicy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; " +
		"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	// filePolicy is for what the services answer, none of which is a page.
	filePolicy = "default-src 'none'; frame-ancestors 'none'"
	// oneYear is how long browsers insist on TLS, where the site has it.
	oneYear = "max-age=31536000"
)

const policyHeader = "Content-Security-Policy"

// securityHeaders are carried by every answer, whoever gives it. The values are
// shared by all of them, and never changed.
var securityHeaders = http.Header{
	policyHeader:                   {pagePolicy},
	"X-Content-Type-Options":       {"nosniff"},
	"Referrer-Policy":              {"strict-origin-when-cross-origin"},
	"Permissions-Policy":           {"camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
}

var (
	filePolicyValues = []string{filePolicy}
	oneYearValues    = []string{oneYear}
)

const transportSecurity = "Strict-Transport-Security"

// Edge wraps the engine: it sets the security headers, notes the client's
// address, and drops what only the gateway may say of a request, which the
// engine would believe. What is kept it answers itself. Secure says that the site
// is served over TLS.
func Edge(secure bool, trusted client.TrustedProxies, cached *CachedRoutes, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), securityHeaders)
		if secure {
			w.Header()[transportSecurity] = oneYearValues
		}
		address, err := client.Address(r, trusted)
		if err != nil {
			httpserve.WriteProblem(w, correlation.NewRequestID(), httpserve.ErrMalformed.Because(err))
			return
		}
		if cached.hit(w, r, address) {
			return
		}
		dropTrace(r.Header)
		r.Header.Del(httpserve.RequestIDHeader)
		r.Header.Del(httpserve.ClientAddressHeader)
		next.ServeHTTP(w, r.WithContext(client.WithAddress(r.Context(), address)))
	})
}

// dropTrace drops what a stranger says of a trace, but for the trace's id where
// the gateway traces: it decides itself what is sampled.
func dropTrace(h http.Header) {
	for _, name := range correlation.TraceHeaders {
		if name != "Traceparent" || !tracing.Enabled() {
			h.Del(name)
		}
	}
}

// forwardable drops from a request what is between the client and the gateway
// alone. There is no protocol to switch to. The client's wait for "100
// Continue" ends when its body is first read.
func forwardable(h http.Header) {
	for _, name := range []string{"Connection", "Upgrade", "Expect", "X-Real-Ip"} {
		h.Del(name)
	}
}

// answerable drops from a service's answer what the gateway says itself.
func answerable(h http.Header) {
	for name := range securityHeaders {
		h.Del(name)
	}
	for _, name := range []string{transportSecurity, httpserve.RequestIDHeader, pages.ShownHeader, pages.ChangedHeader, "Server"} {
		h.Del(name)
	}
}
