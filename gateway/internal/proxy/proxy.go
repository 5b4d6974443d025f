// Package proxy forwards requests to the services, under the conditions of the
// routing table.
package proxy

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"sync"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/token"
)

// What the gateway answers by itself.
var (
	ErrServiceAway = problem.Unavailable("service_unavailable", "A part of the site is away for the moment. Please try again shortly.")
	ErrForeignSite = problem.Forbidden("foreign_site", "Logging in works from the site's own pages only.")
)

// Proxy forwards to the pools of the services.
type Proxy struct {
	pools    map[route.Service]*upstream.Pool
	limits   *limit.Limits
	verifier token.Verifier
	origin   string
	log      *slog.Logger
	buffers  buffers
}

// New returns a proxy. Origin is the site's own, as browsers send it.
func New(pools map[route.Service]*upstream.Pool, limits *limit.Limits, verifier token.Verifier, origin string, log *slog.Logger) *Proxy {
	return &Proxy{pools: pools, limits: limits, verifier: verifier, origin: origin, log: log}
}

// Register makes the routes of the table. Of each the conditions come in this
// order: whose page asks, the body's size, the token, the limit.
func (p *Proxy) Register(router gin.IRouter, table []route.Route) {
	for _, r := range table {
		reverse := p.reverse(r)
		router.Handle(r.Method, r.Path, func(c *gin.Context) {
			if err := p.admit(c, r); err != nil {
				httpserve.Render(c, err)
				return
			}
			if !r.SiteOnly {
				c.Request = c.Request.WithContext(upstream.Repeatable(c.Request.Context()))
			}
			reverse.ServeHTTP(c.Writer, c.Request)
		})
	}
}

// admit returns the problem that keeps a request out, or nil.
func (p *Proxy) admit(c *gin.Context, r route.Route) error {
	if r.SiteOnly && !p.fromSite(c.Request) {
		return ErrForeignSite
	}
	if c.Request.ContentLength > r.MaxBody {
		return httpserve.ErrBodyTooLarge
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, r.MaxBody)

	address := client.AddressOf(c.Request.Context())
	player := address
	if r.Token {
		claims, err := p.verifier.Verify(c.Request.Context(), httpserve.BearerToken(c.Request))
		switch {
		case errors.Is(err, token.ErrKeysAway):
			// The service judges; meanwhile the address is counted.
		case err != nil:
			return err
		default:
			player = claims.PlayerID
		}
	}
	switch r.Limit {
	case route.Logins:
		return p.limits.Login(c.Request.Context(), address)
	case route.Submissions:
		return p.limits.Submission(c.Request.Context(), player)
	case route.Reads:
		return p.limits.Read(address)
	}
	return nil
}

// fromSite tells that a request does not come from another site's page. Browsers
// say where a request comes from; a script outside a browser says nothing.
func (p *Proxy) fromSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origin := r.Header.Get("Origin")
	return origin == "" || origin == p.origin
}

// reverse returns the handler that forwards to the route's service.
func (p *Proxy) reverse(r route.Route) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Transport:  p.pools[r.Service],
		BufferPool: &p.buffers,
		Rewrite: func(pr *httputil.ProxyRequest) {
			pr.Out.URL.Scheme = "http"
			pr.Out.URL.Host = string(r.Service) // the pool puts a replica's address
			// What the services are told about the client, in place of what it
			// may have told itself.
			pr.Out.Header.Set(httpserve.ClientAddressHeader, client.AddressOf(pr.In.Context()))
			pr.Out.Header.Set(httpserve.RequestIDHeader, httpserve.RequestID(pr.In.Context()))
		},
		ModifyResponse: func(resp *http.Response) error {
			// The gateway's own id and policy stand.
			resp.Header.Del(httpserve.RequestIDHeader)
			if r.SiteOnly {
				resp.Header.Set("Cache-Control", "no-store")
				resp.Header.Del("ETag")
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, req *http.Request, err error) {
			p.fail(w, req, r, err)
		},
		ErrorLog: slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
}

// fail answers a request that no replica did.
func (p *Proxy) fail(w http.ResponseWriter, req *http.Request, r route.Route, err error) {
	id := httpserve.RequestID(req.Context())
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		httpserve.WriteProblem(w, id, httpserve.ErrBodyTooLarge)
		return
	}
	if !errors.Is(err, context.Canceled) {
		p.log.WarnContext(req.Context(), "no answer", "service", r.Service, "requestId", id, "error", err)
	}
	httpserve.WriteProblem(w, id, ErrServiceAway.After(upstream.CheckEvery))
}

// buffers hands out the buffers that answers are copied through.
type buffers struct{ pool sync.Pool }

const bufferSize = 32 << 10

// Get implements httputil.BufferPool.
func (b *buffers) Get() []byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return *buf
	}
	return make([]byte, bufferSize)
}

// Put implements httputil.BufferPool.
func (b *buffers) Put(buf []byte) { b.pool.Put(&buf) }
