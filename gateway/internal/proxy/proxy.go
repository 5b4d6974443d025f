// Package proxy forwards requests to the services, under the conditions of the routing table.
package proxy

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/personaltoken"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/service"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

// ErrServiceUnavailable is the answer where no replica of a service answers.
var ErrServiceUnavailable = problem.Unavailable("service_unavailable",
	"A service of the site is unavailable at the moment. Please try again shortly.").WithRetryAfter(upstream.CheckEvery)

// Options are what a Proxy needs.
type Options struct {
	Pools    map[route.Service]*upstream.Pool
	Cache    *cache.Cache
	Limits   *limit.Limits
	Verifier *token.Verifier
	NATS     *nats.Conn
	Site     service.SiteURL
	Log      *slog.Logger
	Metrics  prometheus.Registerer
}

// Proxy forwards to the pools of the services.
type Proxy struct {
	Options
	cached       map[string]route.Route       // by path
	queryParams  map[string]cache.QueryParams // by the path of a cached route
	tokenScopes  map[string]access.Scope      // by the method and the path in the document
	pageRequests *prometheus.CounterVec
}

// Register adds the routes of the table to router, and returns what answers them.
func Register(router gin.IRouter, table []route.Route, o Options) (*Proxy, error) {
	queryParams, err := queryParamsOf(table)
	if err != nil {
		return nil, err
	}
	tokenScopes, err := apidoc.TokenScopes()
	if err != nil {
		return nil, fmt.Errorf("scopes of tokens: %w", err)
	}
	p := &Proxy{
		Options: o, cached: map[string]route.Route{}, queryParams: queryParams, tokenScopes: tokenScopes,
		pageRequests: newPageRequests(o.Metrics),
	}
	for _, r := range table {
		serve := p.forward(r)
		switch {
		case r.Cached:
			p.cached[r.Path] = r
			serve = p.serveCached(r)
		case r.Stream:
			serve = serveStream(serve)
		}
		p.Handle(router, r, serve)
	}
	return p, nil
}

// SharedPaths returns the paths of a table that pages of other sites may read: what everybody can read, and what takes
// a personal token.
func SharedPaths(table []route.Route) (paths []string, err error) {
	tokenScopes, err := apidoc.TokenScopes()
	if err != nil {
		return nil, err
	}
	for _, r := range table {
		path, documented := r.DocumentedPath()
		_, takesToken := tokenScopes[r.Method+" "+path]
		if r.Method == http.MethodGet && !r.IsLogin() && (takesToken || !documented) {
			paths = append(paths, r.Path)
		}
	}
	return paths, nil
}

// Handle adds a route to router that serve answers, under the conditions of the routing table.
func (p *Proxy) Handle(router gin.IRouter, r route.Route, serve gin.HandlerFunc) {
	router.Handle(r.Method, r.Path, func(c *gin.Context) {
		setFileHeaders(c, r)
		if err := p.admit(c, r); err != nil {
			httpserve.Render(c, err)
			return
		}
		serve(c)
	})
}

// forward returns the handler that forwards requests to the route's service.
func (p *Proxy) forward(r route.Route) gin.HandlerFunc {
	transport := p.transport(r)
	return func(c *gin.Context) {
		reverse := httputil.ReverseProxy{
			Transport:      transport,
			Rewrite:        func(pr *httputil.ProxyRequest) { rewrite(pr, r) },
			ModifyResponse: func(resp *http.Response) error { p.modifyResponse(resp, r); return nil },
			ErrorHandler:   func(_ http.ResponseWriter, _ *http.Request, err error) { p.renderFailure(c, r, err) },
			ErrorLog:       slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug),
		}
		reverse.ServeHTTP(c.Writer, c.Request)
	}
}

// transport returns what sends the requests of a route to its service.
func (p *Proxy) transport(r route.Route) http.RoundTripper {
	pool := p.Pools[r.Service]
	switch {
	case r.Preview:
		return pool.Previews()
	case r.IsRepeatable():
		return pool.Repeatable()
	}
	return pool
}

// serveStream forwards a request for a stream. Its response is flushed at once where its length is not known.
func serveStream(forward gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		defer httpserve.BeginStream(c)()
		httpserve.PaceWrites(c)
		forward(c)
	}
}

func rewrite(pr *httputil.ProxyRequest, r route.Route) {
	pr.Out.URL.Scheme = "http"
	pr.Out.URL.Host = string(r.Service) // the pool sets a replica's address
	stripRequest(pr.Out.Header)
	if !r.IsLogin() {
		pr.Out.Header.Del("Cookie") // the cookies are those of the login
	}
	pr.Out.Header.Set(httpserve.ClientAddressHeader, client.AddressOf(pr.In.Context()))
	pr.Out.Header.Set(httpserve.RequestIDHeader, telemetry.RequestID(pr.In.Context()))
}

// modifyResponse purges what a write has changed before the client gets the response, so that the client's next
// request shows it.
func (p *Proxy) modifyResponse(resp *http.Response, r route.Route) {
	if r.Method != http.MethodGet && resp.StatusCode < http.StatusBadRequest {
		var keys []httpserve.SurrogateKey
		for key := range strings.FieldsSeq(resp.Header.Get(httpserve.SurrogateKeyHeader)) {
			keys = append(keys, httpserve.SurrogateKey(key))
		}
		p.Cache.Purge(keys...)
	}
	cache.StripCacheHeaders(resp.Header)
	stripResponse(resp.Header)
	if r.Stream {
		resp.Body = httpserve.EndWithServer(resp.Request.Context(), resp.Body)
	}
	if r.IsLogin() {
		resp.Header.Set("Cache-Control", "no-store")
		resp.Header.Del("ETag")
	}
}

// renderFailure answers a request that got no response of a service.
func (p *Proxy) renderFailure(c *gin.Context, r route.Route, err error) {
	var tooLarge *http.MaxBytesError
	var refused *problem.Problem
	switch {
	case errors.As(err, &refused):
		httpserve.Render(c, err)
	case errors.As(err, &tooLarge):
		httpserve.Render(c, httpserve.ErrBodyTooLarge.Wrap(err))
	case errors.Is(err, upstream.ErrRequestBody):
		httpserve.Render(c, httpserve.ErrMalformed.Wrap(err))
	default:
		p.Log.WarnContext(c.Request.Context(), "no answer", "upstream", r.Service, "error", err)
		httpserve.Render(c, ErrServiceUnavailable.Wrap(err))
	}
}

// errForeignSite refuses a login that another site's page asked for.
var errForeignSite = problem.Forbidden("foreign_site", "Logging in works from the site's own pages only.").
	WithReason("foreign_login")

// admit returns the problem for which a request is refused, or nil. The conditions are checked in this order: the
// query, the scope of a personal token, the site that the request comes from, the size of the body, the token, the
// limits of submissions and logins, and the session.
func (p *Proxy) admit(c *gin.Context, r route.Route) error {
	if err := httpserve.ReadQuery(c.Request); err != nil {
		return err
	}
	if exchanged := personaltoken.Exchanged(c.Request.Context()); exchanged != nil {
		if err := p.checkScope(r, exchanged.Scopes); err != nil {
			httpserve.DiscardBody(c)
			return err
		}
	}
	address := client.AddressOf(c.Request.Context())
	switch {
	case r.IsLogin() && c.Request.Method == http.MethodHead: // some of its GETs change something
		return httpserve.ErrNoMethod
	case r.IsLogin() && !p.isFromSite(c.Request):
		return errForeignSite.WithMessage("login_foreign_site", "Logging in works from the site's own pages only: {site}").
			WithData("site", p.Site.Origin())
	case c.Request.ContentLength > r.BodyLimit():
		httpserve.DiscardBody(c)
		return httpserve.ErrBodyTooLarge
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, r.BodyLimit())

	submitter := address
	var claims token.Claims
	if r.NeedsToken {
		var err error
		claims, err = p.Verifier.Verify(httpserve.BearerToken(c.Request))
		switch {
		case errors.Is(err, token.ErrKeysUnavailable) && !r.NeedsSession: // the service verifies the token
		case err != nil:
			return err
		default:
			submitter = claims.PlayerID
		}
	}
	if err := p.checkLimits(c.Request.Context(), r, address, submitter); err != nil {
		return err
	}
	if r.NeedsSession {
		return p.checkSession(c.Request.Context(), claims)
	}
	return nil
}

// checkLimits counts a login of an address, or what a player submits.
func (p *Proxy) checkLimits(ctx context.Context, r route.Route, address, submitter string) error {
	switch {
	case r.IsLogin() && !r.Polled:
		return p.Limits.Login(ctx, address)
	case r.Submission:
		return p.Limits.Submission(ctx, submitter)
	}
	return nil
}

// errSessionsUnavailable is returned while auth cannot be asked.
var errSessionsUnavailable = problem.Unavailable("sessions_unavailable",
	"Your session cannot be checked at the moment. Please try again shortly.").WithRetryAfter(2 * time.Second)

// checkSession asks auth whether the session of an access token goes on. It returns event.ErrSessionEnded or
// errSessionsUnavailable. A personal token has none.
func (p *Proxy) checkSession(ctx context.Context, claims token.Claims) error {
	if claims.PersonalID != "" {
		return nil
	}
	_, err := eventbus.Call[struct{}](ctx, p.NATS, event.CheckSessionSubject,
		event.CheckSession{SessionID: claims.SessionID})
	switch {
	case errors.Is(err, event.ErrSessionEnded):
		return event.ErrSessionEnded
	case err != nil:
		return errSessionsUnavailable.Wrap(err)
	}
	return nil
}

// checkScope returns access.ErrScopeMissing where a route does not take a personal token, or needs a scope that the
// token does not have. Services check the scope of each action as well; this check is the same for all of them, also
// for a replica of an earlier release.
func (p *Proxy) checkScope(r route.Route, granted []access.Scope) error {
	path, documented := r.DocumentedPath()
	if !documented {
		return nil // a file that everybody can read
	}
	scope, takesToken := p.tokenScopes[r.Method+" "+path]
	if r.IsLogin() || !takesToken {
		return access.ErrScopeMissing
	}
	if scope != "" && !slices.Contains(granted, scope) {
		return access.MissingScope(scope)
	}
	return nil
}

// isFromSite reports whether a request comes from the site's own pages or from outside a browser. Browsers name the
// site of the page that sends a request.
func (p *Proxy) isFromSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origin := r.Header.Get("Origin")
	return origin == "" || p.Site.IsOrigin(origin)
}
