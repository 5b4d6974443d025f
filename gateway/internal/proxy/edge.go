package proxy

import (
	"maps"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/webapp"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/telemetry"
)

const (
	// pagePolicy lets pages load from the site alone. Styles may be inline, because index.html has those of its frame;
	// images may be data or blobs for previews of uploads, workers for reading replays.
	pagePolicy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; " +
		"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	// filePolicy is for the services' responses, none of which is a page.
	filePolicy = "default-src 'none'; frame-ancestors 'none'"

	policyHeader      = "Content-Security-Policy"
	resourcePolicy    = "Cross-Origin-Resource-Policy"
	transportSecurity = "Strict-Transport-Security"
)

// setFileHeaders sets the security headers of a service's response, which differ from those of a page.
func setFileHeaders(c *gin.Context, r route.Route) {
	c.Header(policyHeader, filePolicy)
	if strings.HasSuffix(c.Request.URL.Path, ".svg") {
		c.Header(policyHeader, httpserve.DrawingPolicy)
	}
	if r.Preview || strings.HasPrefix(r.Path, "/media/") {
		c.Header(resourcePolicy, "cross-origin")
	}
}

// securityHeaders returns the headers that every response carries but those with which net/http itself refuses what is
// no request. Secure says that the site is served over TLS.
func securityHeaders(secure bool) http.Header {
	header := http.Header{
		policyHeader:                 {pagePolicy},
		"X-Content-Type-Options":     {"nosniff"},
		"Referrer-Policy":            {"strict-origin-when-cross-origin"},
		"Permissions-Policy":         {"camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
		"Cross-Origin-Opener-Policy": {"same-origin"},
		resourcePolicy:               {"same-origin"},
	}
	if secure {
		header[transportSecurity] = []string{"max-age=31536000"} // one year, in seconds
	}
	return header
}

// Edge wraps the engine: it sets the security headers, determines the client's address, and removes the headers that
// only the gateway may set.
func Edge(secure bool, trusted client.TrustedProxies, next http.Handler) http.Handler {
	headers := securityHeaders(secure)
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
		next.ServeHTTP(w, r.WithContext(client.WithAddress(r.Context(), address)))
	})
}

// LimitRequests returns the middleware that limits the requests and the streams of an address, and refuses GET and
// HEAD requests with a body.
func LimitRequests(limits *limit.Limits, table []route.Route) gin.HandlerFunc {
	streams := map[string]bool{}
	for _, r := range table {
		streams[r.Path] = r.Stream
	}
	return func(c *gin.Context) {
		if c.FullPath() == httpserve.HealthPath {
			return
		}
		begin := limits.Begin
		if streams[c.FullPath()] && c.Request.Method == http.MethodGet {
			begin = limits.BeginStream
		}
		end, err := begin(client.AddressOf(c.Request.Context()))
		if err != nil {
			httpserve.DiscardBody(c)
			webapp.RenderLimited(c, err)
			return
		}
		defer httpserve.AtEnd(c.Request.Context(), end)
		read := c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
		if read && c.Request.ContentLength != 0 {
			httpserve.DiscardBody(c)
			httpserve.Render(c, httpserve.ErrBodyTooLarge)
			return
		}
		c.Next()
	}
}

// stripTrace removes the trace headers of a client. Where the gateway traces, the trace's id is kept, but the gateway
// decides itself what is sampled.
func stripTrace(h http.Header) {
	for _, name := range telemetry.TraceHeaders {
		if name != "Traceparent" || !telemetry.Enabled() {
			h.Del(name)
		}
	}
}

// stripRequest removes from a request what concerns only the client and the gateway, and the headers that make net/http
// repeat a request.
func stripRequest(h http.Header) {
	for _, name := range []string{"Connection", "Upgrade", "Expect", "X-Real-Ip", "Idempotency-Key", "X-Idempotency-Key"} {
		h.Del(name)
	}
}

var strippedHeaders = securityHeaders(true)

// stripResponse removes from a service's response what the gateway sets itself.
func stripResponse(h http.Header) {
	for name := range strippedHeaders {
		h.Del(name)
	}
	h.Del(httpserve.RequestIDHeader)
	h.Del(httpserve.OverloadedHeader)
	h.Del("Server")
}
