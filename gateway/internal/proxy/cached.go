package proxy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/pagecache"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/correlation"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/pages"
)

// CachedRoutes answer the routes whose answers are cached.
type CachedRoutes struct {
	spaces map[route.Service]*pagecache.Space
	limits *limit.Limits
	// exact are the routes by their path, underID those that end in an id, by
	// what comes before it.
	exact, underID map[string]*cachedRoute
}

// cachedRoute is a route whose answers are cached.
type cachedRoute struct {
	space    *pagecache.Space
	shape    pagecache.Shape
	outcomes [pagecache.Unkept + 1]prometheus.Counter
}

// NewCachedRoutes returns what answers the cached routes of the table. The query parameters
// that count are those of the API's document.
func NewCachedRoutes(table []route.Route, spaces map[route.Service]*pagecache.Space, limits *limit.Limits, metrics prometheus.Registerer) (*CachedRoutes, error) {
	parameters, err := apidoc.QueryParameters()
	if err != nil {
		return nil, fmt.Errorf("query parameters: %w", err)
	}
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "gateway_page_requests_total",
		Help: "Requests for pages that are kept, by route and where the page came from: hit, miss, joined (somebody else was fetching it) or unkept (nothing may be kept at the moment).",
	}, []string{"route", "outcome"})
	metrics.MustRegister(requests)
	cr := &CachedRoutes{spaces: spaces, limits: limits, exact: map[string]*cachedRoute{}, underID: map[string]*cachedRoute{}}
	for _, r := range table {
		if !r.Cached {
			continue
		}
		names, documented := parameters[documentPath(r.Path)]
		if !documented {
			return nil, fmt.Errorf("the document does not have %s", r.Path)
		}
		shape, err := pagecache.NewShape(names)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Path, err)
		}
		cached := &cachedRoute{space: spaces[r.Service], shape: shape}
		for outcome := range cached.outcomes {
			cached.outcomes[outcome] = requests.WithLabelValues(r.Path, pagecache.Outcome(outcome).String())
		}
		if before, ok := strings.CutSuffix(r.Path, ":id"); ok {
			cr.underID[before] = cached
		} else {
			cr.exact[r.Path] = cached
		}
	}
	return cr, nil
}

// documentPath returns the path of a route as the API's document has it.
func documentPath(path string) string {
	path = strings.TrimPrefix(path, route.Base)
	if before, ok := strings.CutSuffix(path, ":id"); ok {
		path = before + "{id}"
	}
	return path
}

// lookUp returns which page a request is for. It is not ok where it is for
// none that could be cached.
func (cr *CachedRoutes) lookUp(r *http.Request) (cached *cachedRoute, key string, ok bool) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.ContentLength != 0 {
		return nil, "", false
	}
	path := r.URL.Path
	cached = cr.exact[path]
	if cached == nil {
		id := strings.LastIndexByte(path, '/') + 1
		if cached = cr.underID[path[:id]]; cached == nil || !plainID(path[id:]) {
			return nil, "", false
		}
		if lower := strings.ToLower(path[id:]); lower != path[id:] {
			path = path[:id] + lower // ids are the same in either case, and one page
		}
	}
	key, ok = cached.shape.Key(path, r.URL.RawQuery)
	return cached, key, ok
}

// plainID tells whether the last part of a path is written as it is meant.
func plainID(id string) bool {
	for _, b := range []byte(id) {
		if (b < '0' || b > '9') && (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && b != '-' {
			return false
		}
	}
	return id != ""
}

// hit answers a request with a kept page, counted by its address and by nothing
// else: this is what the site does most of the time. It tells whether it did.
func (cr *CachedRoutes) hit(w http.ResponseWriter, r *http.Request, address string) bool {
	cached, key, ok := cr.lookUp(r)
	if !ok {
		return false
	}
	page := cached.space.Get(key)
	if page == nil || cr.limits.Request(address) != nil {
		return false
	}
	w.Header()[policyHeader] = filePolicyValues
	page.Serve(w, r)
	cached.outcomes[pagecache.Hit].Inc()
	return true
}

// load answers a request with the page that it is for, which is fetched where it
// is not there. What cannot be kept is left to forward.
func (cr *CachedRoutes) load(c *gin.Context, pool *upstream.Pool, fail func(error), forward func()) {
	cached, key, ok := cr.lookUp(c.Request)
	if !ok {
		forward()
		return
	}
	page, outcome, err := cached.space.Load(c.Request.Context(), key, func() (*pagecache.Page, error) {
		return cached.fetch(c.Request.Context(), pool, key)
	})
	switch {
	case errors.Is(err, upstream.ErrTooLarge):
		forward()
	case err != nil:
		fail(err)
	default:
		page.Serve(c.Writer, c.Request)
		cached.outcomes[outcome].Inc()
	}
}

// fetch asks the service for a page, with nothing of who asks the gateway.
func (r *cachedRoute) fetch(ctx context.Context, pool *upstream.Pool, uri string) (*pagecache.Page, error) {
	answer, err := pool.Fetch(ctx, uri, http.Header{httpserve.RequestIDHeader: {correlation.RequestID(ctx)}})
	if err != nil {
		return nil, err
	}
	r.space.Changed(strings.Fields(answer.Header.Get(pages.ChangedHeader)))
	tags := strings.Fields(answer.Header.Get(pages.ShownHeader))
	answerable(answer.Header)
	if answer.Status != http.StatusOK {
		// A failure names the request that it belongs to, also to those who waited for it.
		answer.Header.Set(httpserve.RequestIDHeader, correlation.RequestID(ctx))
	}
	return pagecache.NewPage(answer.Status, answer.Header, answer.Body, tags), nil
}
