package proxy

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
)

const (
	// fetchTimeout bounds the fetch of a response, with all tries.
	fetchTimeout = upstream.ReadTimeout + time.Second
	// maxResponse bounds the body of a response of a cached route, in bytes. A list of a hundred maps with the longest
	// descriptions has about one MiB.
	maxResponse = 8 << 20
)

// queryParamsOf returns the query parameters that the responses of each cached route depend on, by the route's path.
// They are those of the API's document.
func queryParamsOf(table []route.Route) (map[string]cache.QueryParams, error) {
	parameters, err := apidoc.QueryParameters()
	if err != nil {
		return nil, fmt.Errorf("query parameters: %w", err)
	}
	queryParams := map[string]cache.QueryParams{}
	for _, r := range table {
		if !r.Cached {
			continue
		}
		path, _ := r.DocumentedPath()
		names, documented := parameters[path]
		if !documented {
			return nil, fmt.Errorf("the document does not have %s", r.Path)
		}
		queryParams[r.Path] = names
	}
	return queryParams, nil
}

func newPageRequests(metrics prometheus.Registerer) *prometheus.CounterVec {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "gateway_page_requests_total",
		Help: "Requests for cached routes, also for shared pages, by route and where the response came from: hit, miss, " +
			"joined (a fetch that was under way) or stale (the service did not answer).",
	}, []string{"route", "outcome"})
	metrics.MustRegister(requests)
	return requests
}

// serveCached returns the handler of a cached route. A request whose query has no key, or asks for a response to the
// caller alone, is forwarded. All others reach the service without their token.
func (p *Proxy) serveCached(r route.Route) gin.HandlerFunc {
	forward := p.forward(r)
	return func(c *gin.Context) {
		key, ok := p.queryParams[r.Path].Key(cachePath(c), c.Request.URL.RawQuery)
		if !ok || r.IsPrivate != nil && r.IsPrivate(c.Request.URL.Query()) {
			forward(c)
			return
		}
		response, outcome, err := p.Cache.Get(c.Request.Context(), key, p.fetcher(r, key))
		if err != nil {
			p.renderFailure(c, r, err)
			return
		}
		p.pageRequests.WithLabelValues(r.Path, string(outcome)).Inc()
		if r.Preview && !r.ShowsPoints && c.Query("v") != "" {
			response.ServeVersion(c.Writer, c.Request, outcome == cache.Stale)
			return
		}
		response.Serve(c.Writer, c.Request, outcome == cache.Stale)
	}
}

// Read returns the response to a GET request for a cached route as clients get it: from the cache, or else from the
// service. Path is the route's in the table, and ids, in lower case, take the places of its parameters. The boolean
// reports whether the service did not answer, so that the response is older than it should be. Read returns
// ErrServiceUnavailable for a service that does not answer, or answers neither 200, 404 nor 422.
func (p *Proxy) Read(ctx context.Context, path string, ids []string, query url.Values) (*cache.Response, bool, error) {
	r, ok := p.cached[path]
	if !ok {
		return nil, false, fmt.Errorf("%s is not a cached route", path)
	}
	key, ok := p.queryParams[path].Key(route.Fill(path, ids...), query.Encode())
	if !ok {
		return nil, false, fmt.Errorf("the query %q of %s has no key", query.Encode(), path)
	}
	response, outcome, err := p.Cache.Get(ctx, key, p.fetcher(r, key))
	if err != nil {
		return nil, false, ErrServiceUnavailable.Wrap(err)
	}
	p.pageRequests.WithLabelValues(path, string(outcome)).Inc()
	switch response.Status {
	case http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity:
		return response, outcome == cache.Stale, nil
	}
	return nil, false, ErrServiceUnavailable.Wrap(fmt.Errorf("%s answers %d", path, response.Status))
}

// cachePath returns the path of a request as the key has it: escaped as it came, the ids in lower case.
func cachePath(c *gin.Context) string {
	path := c.Request.URL.EscapedPath()
	if len(c.Params) == 0 {
		return path
	}
	segments, pattern := strings.Split(path, "/"), strings.Split(c.FullPath(), "/")
	if len(segments) != len(pattern) {
		return path
	}
	for i := range segments {
		if strings.HasPrefix(pattern[i], ":") {
			segments[i] = strings.ToLower(segments[i])
		}
	}
	return strings.Join(segments, "/")
}

// fetcher returns the fetch of a key of a route.
func (p *Proxy) fetcher(r route.Route, key string) cache.Fetch {
	return func(ctx context.Context) (*cache.Response, error) {
		return fetch(ctx, p.transport(r), key)
	}
}

// fetch gets a response from a service. The service sees nothing of the client's request but what the key holds.
func fetch(ctx context.Context, transport http.RoundTripper, key string) (*cache.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://service"+key, nil)
	if err != nil {
		return nil, httpserve.ErrMalformed.Wrap(err)
	}
	req.Header = http.Header{
		httpserve.RequestIDHeader: {telemetry.RequestID(ctx)},
		"User-Agent":              nil, // none
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var body bytes.Buffer
	// The length is known, so that the buffer need not grow.
	body.Grow(int(max(0, min(resp.ContentLength, maxResponse))) + bytes.MinRead)
	if _, err := body.ReadFrom(io.LimitReader(resp.Body, maxResponse+1)); err != nil {
		return nil, err
	}
	if body.Len() > maxResponse {
		return nil, problem.Internal("internal", "The response is too large.").WithReason("response_too_large")
	}
	stripResponse(resp.Header)
	if resp.StatusCode != http.StatusOK {
		// The body names the request of the fetch, also to those who joined it.
		resp.Header.Set(httpserve.RequestIDHeader, telemetry.RequestID(ctx))
	}
	return cache.NewResponse(resp.StatusCode, resp.Header, body.Bytes()), nil
}
