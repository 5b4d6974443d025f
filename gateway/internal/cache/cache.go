// Package cache is the gateway's response cache with surrogate keys. It stores a service's response for as long as
// the response's Cache-Control allows, and purges it when something changes that it shows: the answers to writes and
// the services' events name that by surrogate keys (package httpserve).
package cache

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"capzone.dev/platform/httpserve"
)

// disconnectedMaxAge is how long responses are served while events do not arrive.
const disconnectedMaxAge = time.Second

// Fetch gets a response from a service.
type Fetch func(ctx context.Context) (*Response, error)

// Cache stores responses. It is safe for concurrent use.
type Cache struct {
	purges  purgeLog
	fetches singleflight.Group
	// connected reports whether events arrive.
	connected func() bool
	maxBytes  int64

	mu     sync.Mutex
	stored *simplelru.LRU[string, *Response]
	bytes  int64
}

// New returns a cache of about maxBytes. Connected reports whether the services' events arrive; while they do not,
// responses are served for one second only.
func New(maxBytes int64, connected func() bool) *Cache {
	c := &Cache{connected: connected, maxBytes: maxBytes}
	c.purges.last = map[httpserve.SurrogateKey]uint64{}
	// The bytes bound the list, not the number of its entries. The error is for sizes below 1.
	c.stored, _ = simplelru.NewLRU(math.MaxInt, func(key string, r *Response) { c.bytes -= r.size(key) })
	return c
}

// Outcome says where a response came from.
type Outcome string

// The outcomes, as metrics name them.
const (
	Hit    Outcome = "hit"
	Miss   Outcome = "miss"
	Joined Outcome = "joined" // the response of a fetch that was already under way
	Stale  Outcome = "stale"  // the service did not answer
)

// Get returns the response of a key, which is fetched where no fresh one is stored. Concurrent calls share one fetch.
// After a purge, Get returns no response with a purged key whose fetch began before, unless the service does not
// answer: then a response up to its stale-if-error old is returned as Stale. The end of ctx ends the waiting, and not
// the fetch, which others may share. A panic of fetch is an error.
func (c *Cache) Get(ctx context.Context, key string, fetch Fetch) (*Response, Outcome, error) {
	stored := c.lookUp(key)
	if stored != nil && c.isFresh(stored) {
		return stored, Hit, nil
	}
	number := c.purges.number.Load()
	for {
		r, outcome, err := c.share(ctx, key, fetch)
		switch {
		case ctx.Err() != nil:
			return nil, outcome, ctx.Err()
		case err != nil || isUnavailable(r.Status):
			if stored != nil && time.Since(stored.began) <= stored.staleIfError {
				return stored, Stale, nil
			}
			return r, outcome, err
		case r.beganAfter >= number || len(r.keys) > 0 && !c.purges.purgedSince(r.beganAfter, r.keys):
			return r, outcome, nil
		}
		// The fetch that was joined is too old. The next one began after the call.
	}
}

// share fetches the response, or waits for the fetch of the same key that is under way.
func (c *Cache) share(ctx context.Context, key string, fetch Fetch) (*Response, Outcome, error) {
	outcome := Joined
	results := c.fetches.DoChan(key, func() (_ any, err error) {
		outcome = Miss
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		// A fetch may have ended since the caller found nothing.
		if stored := c.lookUp(key); stored != nil && c.isFresh(stored) {
			return stored, nil
		}
		began, number := time.Now(), c.purges.number.Load()
		r, err := fetch(context.WithoutCancel(ctx))
		if err != nil {
			return nil, err
		}
		r.began, r.beganAfter = began, number
		r.checkedAfter.Store(number)
		c.store(key, r)
		return r, nil
	})
	select {
	case result := <-results:
		r, _ := result.Val.(*Response)
		return r, outcome, result.Err
	case <-ctx.Done():
		return nil, Joined, ctx.Err()
	}
}

// store stores a response unless one of its keys was purged after its fetch began.
func (c *Cache) store(key string, r *Response) {
	if !r.storable() || c.purges.purgedSince(r.beganAfter, r.keys) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stored.Remove(key)
	c.stored.Add(key, r)
	c.bytes += r.size(key)
	for c.bytes > c.maxBytes {
		c.stored.RemoveOldest()
	}
}

func (c *Cache) lookUp(key string) *Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, _ := c.stored.Get(key)
	return r
}

// isFresh reports whether a response is young enough and none of its keys was purged since its fetch began.
func (c *Cache) isFresh(r *Response) bool {
	maxAge := r.maxAge
	if !c.connected() {
		maxAge = min(maxAge, disconnectedMaxAge)
	}
	if time.Since(r.began) >= maxAge {
		return false
	}
	number, checked := c.purges.number.Load(), r.checkedAfter.Load()
	if number == checked {
		return true
	}
	if c.purges.purgedSince(checked, r.keys) {
		return false
	}
	r.checkedAfter.Store(number)
	return true
}

func isUnavailable(status int) bool {
	return status >= http.StatusBadGateway && status <= http.StatusGatewayTimeout
}

var (
	storedPages = prometheus.NewDesc("gateway_pages_kept", "Responses in the cache.", nil, nil)
	storedBytes = prometheus.NewDesc("gateway_pages_bytes", "About how many bytes of memory they take.", nil, nil)
	maxBytes    = prometheus.NewDesc("gateway_pages_bytes_max", "The bound of the cache.", nil, nil)
	freshPages  = prometheus.NewDesc("gateway_pages_fresh",
		"1 while the services' events arrive, 0 while responses are served for one second only.", nil, nil)
	purged = prometheus.NewDesc("gateway_purges_total", "Purges of surrogate keys.", nil, nil)
)

// Describe implements prometheus.Collector.
func (c *Cache) Describe(descs chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, descs) }

// Collect implements prometheus.Collector.
func (c *Cache) Collect(metrics chan<- prometheus.Metric) {
	c.mu.Lock()
	stored, bytes := c.stored.Len(), c.bytes
	c.mu.Unlock()
	fresh := 0.0
	if c.connected() {
		fresh = 1
	}
	metrics <- prometheus.MustNewConstMetric(storedPages, prometheus.GaugeValue, float64(stored))
	metrics <- prometheus.MustNewConstMetric(storedBytes, prometheus.GaugeValue, float64(bytes))
	metrics <- prometheus.MustNewConstMetric(maxBytes, prometheus.GaugeValue, float64(c.maxBytes))
	metrics <- prometheus.MustNewConstMetric(freshPages, prometheus.GaugeValue, fresh)
	metrics <- prometheus.MustNewConstMetric(purged, prometheus.CounterValue, float64(c.purges.number.Load()))
}
