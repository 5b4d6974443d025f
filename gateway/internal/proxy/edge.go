package proxy

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/webapp"
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

const (
	// bodyGrace is how long a client may take before the minimum rate of bodies applies, and minBodyRate is that rate in
	// bytes a second.
	bodyGrace   = 5 * time.Second
	minBodyRate = 8 << 10
	// maxBodyTime bounds the time for a body of any size.
	maxBodyTime = 60 * time.Second
)

// pacedBody is the body of a client's request. Reading it fails when it arrives at less than minBodyRate.
type pacedBody struct {
	io.ReadCloser
	controller *http.ResponseController
	began      time.Time
	read       atomic.Int64
}

// paceBody returns a copy of a request whose body fails when it arrives too slowly. The body of the request itself
// keeps the shorter time limit of one that is refused.
func paceBody(w http.ResponseWriter, r *http.Request) *http.Request {
	paced := *r
	if r.ContentLength != 0 {
		paced.Body = &pacedBody{ReadCloser: r.Body, controller: http.NewResponseController(w), began: time.Now()}
	}
	return &paced
}

// Read implements io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	allowed := min(bodyGrace+time.Duration(b.read.Load())*time.Second/minBodyRate, maxBodyTime)
	if err := b.controller.SetReadDeadline(b.began.Add(allowed)); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	b.read.Add(int64(n))
	if errors.Is(err, io.EOF) {
		// net/http continues to read, to notice when the client closes the connection.
		_ = b.controller.SetReadDeadline(time.Time{})
	}
	return n, err
}
