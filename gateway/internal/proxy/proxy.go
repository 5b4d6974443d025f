// Package proxy forwards requests to the services, under the conditions of the
// routing table.
package proxy

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"strings"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/correlation"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/pages"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
)

// ErrServiceUnavailable says that no replica of a service answers.
var ErrServiceUnavailable = problem.Unavailable("service_unavailable", "A part of the site is away for the moment. Please try again shortly.").
	After(upstream.CheckEvery)

// Proxy forwards to the pools of the services.
type Proxy struct {
	pools    map[route.Service]*upstream.Pool
	cached   *CachedRoutes
	limits   *limit.Limits
	verifier token.Verifier
	site     service.SiteURL
	log      *slog.Logger
	buffers  buffers
}

// New returns a proxy of the site at an address.
func New(pools map[route.Service]*upstream.Pool, cached *CachedRoutes, limits *limit.Limits, verifier token.Verifier, site service.SiteURL, log *slog.Logger) *Proxy {
	return &Proxy{pools: pools, cached: cached, limits: limits, verifier: verifier, site: site, log: log}
}

// Register makes the routes of the table.
func (p *Proxy) Register(router gin.IRouter, table []route.Route) {
	for _, r := range table {
		answer := p.forward(r)
		if r.Cached {
			answer = p.keep(r)
		}
		handler := func(c *gin.Context) {
			c.Header(policyHeader, filePolicy)
			if err := p.admit(c, r); err != nil {
				httpserve.Render(c, err)
				return
			}
			answer(c)
		}
		router.Handle(r.Method, r.Path, handler)
		if r.Cached {
			router.HEAD(r.Path, handler)
		}
	}
}

// forward returns what hands requests on to the route's service.
func (p *Proxy) forward(r route.Route) gin.HandlerFunc {
	reverse := p.reverse(r)
	return func(c *gin.Context) { reverse.ServeHTTP(c.Writer, c.Request) }
}

// keep returns what answers with pages that are kept.
func (p *Proxy) keep(r route.Route) gin.HandlerFunc {
	forward := p.forward(r)
	return func(c *gin.Context) {
		p.cached.load(c, p.pools[r.Service],
			func(err error) { p.fail(c.Writer, c.Request, r, err) },
			func() { forward(c) })
	}
}

// reverse returns the handler that forwards to the route's service.
func (p *Proxy) reverse(r route.Route) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Transport:  p.pools[r.Service],
		BufferPool: &p.buffers,
		Rewrite: func(pr *httputil.ProxyRequest) {
			pr.Out.URL.Scheme = "http"
			pr.Out.URL.Host = string(r.Service) // the pool puts a replica's address
			forwardable(pr.Out.Header)
			pr.Out.Header.Set(httpserve.ClientAddressHeader, client.AddressOf(pr.In.Context()))
			pr.Out.Header.Set(httpserve.RequestIDHeader, correlation.RequestID(pr.In.Context()))
			if r.Repeatable() {
				pr.Out = pr.Out.WithContext(upstream.Repeatable(pr.Out.Context()))
			}
		},
		ModifyResponse: func(resp *http.Response) error {
			if space := p.cached.spaces[r.Service]; space != nil {
				// Before the answer goes on: who made the change will look next.
				space.Changed(strings.Fields(resp.Header.Get(pages.ChangedHeader)))
			}
			answerable(resp.Header)
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
	if httpserve.ClientLeft(req) {
		w.WriteHeader(httpserve.StatusClientClosedRequest)
		return
	}
	id := correlation.RequestID(req.Context())
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		httpserve.WriteProblem(w, id, httpserve.ErrBodyTooLarge)
		return
	}
	p.log.WarnContext(req.Context(), "no answer", "upstream", r.Service, "error", err)
	httpserve.WriteProblem(w, id, ErrServiceUnavailable)
}
