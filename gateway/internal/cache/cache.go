// Package cache is the gateway's response cache with surrogate keys. It stores a service's response for as long as
// the response's Cache-Control allows, and purges it when something changes that it shows: the answers to writes and
// the services' events name that by surrogate keys (package httpserve).
package cache

import (
	"context"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"capzone.dev/platform/flight"
	"capzone.dev/platform/httpserve"
)

// disconnectedMaxAge is how long responses are served while events do not arrive.
const disconnectedMaxAge = time.Second

// Fetch gets a response from a service.
type Fetch func(ctx context.Context) (*Response, error)

// Cache stores responses. It is safe for concurrent use.
type Cache struct {
	purges  purgeLog
	flights flight.Group[*Response]
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

// Get returns the response of a key, which is fetched where no fresh one is stored. All who ask at once share one
// fetch. It never returns a response whose fetch began before a purge of one of its keys that came before the call,
// unless the service does not answer: then a response up to its stale-if-error old is returned as Stale. The end of
// ctx ends the waiting; the context of fetch ends with the last call that waits.
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
	r, joined, err := c.flights.Do(ctx, key, func(ctx context.Context) (*Response, error) {
		// A fetch may have ended since the caller found nothing.
		if stored := c.lookUp(key); stored != nil && c.isFresh(stored) {
			return stored, nil
		}
		began, number := time.Now(), c.purges.number.Load()
		r, err := fetch(ctx)
		if err != nil {
			return nil, err
		}
		r.began, r.beganAfter = began, number
		r.checkedAfter.Store(number)
		c.store(key, r)
		return r, nil
	})
	if joined {
		return r, Joined, err
	}
	return r, Miss, err
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

// maxStored bounds the body of a stored response of a service, in bytes.
const maxStored = 1 << 20

// Response is a service's complete response, which is the same for everybody. It is immutable, so that all who asked
// for it share it.
type Response struct {
	Status int

	header       http.Header // its values are shared by all who get the response
	etag         string
	body         []byte
	keys         []httpserve.SurrogateKey
	maxAge       time.Duration
	staleIfError time.Duration
	maxBody      int // of a stored response, in bytes

	// began is when the fetch began, and beganAfter the number of the last purge before it.
	began      time.Time
	beganAfter uint64
	// checkedAfter is the number of the last purge that is known not to concern the response.
	checkedAfter atomic.Uint64
}

// NewResponse returns a response with the given header and body, both of which it takes over. Surrogate-Key and
// Cache-Control are replaced by what browsers are to see.
func NewResponse(status int, header http.Header, body []byte) *Response {
	r := &Response{Status: status, header: header, etag: header.Get("ETag"), body: body, maxBody: maxStored}
	if status == http.StatusOK && r.etag != "" && len(header["Set-Cookie"]) == 0 && len(header["Vary"]) == 0 {
		for key := range strings.FieldsSeq(header.Get(httpserve.SurrogateKeyHeader)) {
			r.keys = append(r.keys, httpserve.SurrogateKey(key))
		}
		control := header.Get("Cache-Control")
		r.maxAge, r.staleIfError = directive(control, "s-maxage"), directive(control, "stale-if-error")
	}
	StripCacheHeaders(header)
	for _, name := range []string{"Connection", "Date", "Keep-Alive", "Transfer-Encoding"} {
		header.Del(name)
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	for name, values := range header {
		header[name] = slices.Clip(values) // so that adding a value to one client's header copies them
	}
	return r
}

// StripCacheHeaders removes from a service's response what is for the gateway's cache alone. A browser may store the
// response, and has to ask each time whether it is current.
func StripCacheHeaders(header http.Header) {
	header.Del(httpserve.SurrogateKeyHeader)
	if strings.Contains(header.Get("Cache-Control"), "s-maxage") {
		header.Set("Cache-Control", "no-cache")
	}
}

// directive returns the seconds of a directive of Cache-Control, 0 where it is absent.
func directive(control, name string) time.Duration {
	for part := range strings.SplitSeq(control, ",") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(part), name+"="); ok {
			seconds, _ := strconv.ParseUint(value, 10, 16)
			return time.Duration(seconds) * time.Second
		}
	}
	return 0
}

// storable reports whether the response may be stored.
func (r *Response) storable() bool {
	return len(r.keys) > 0 && r.maxAge > 0 && len(r.body) <= r.maxBody
}

// Serve answers a GET or HEAD request, with 304 where the client has the response. A stale response is marked with
// Age and Warning (RFC 7234, section 5.5.1).
func (r *Response) Serve(w http.ResponseWriter, req *http.Request, stale bool) {
	maps.Copy(w.Header(), r.header)
	r.write(w, req, stale)
}

// ServeVersion is Serve for an address whose response never changes. Clients keep it, unless it is stale.
func (r *Response) ServeVersion(w http.ResponseWriter, req *http.Request, stale bool) {
	maps.Copy(w.Header(), r.header)
	if r.Status == http.StatusOK && !stale {
		w.Header().Set("Cache-Control", "public, max-age=2592000, immutable") // 30 days
	}
	r.write(w, req, stale)
}

func (r *Response) write(w http.ResponseWriter, req *http.Request, stale bool) {
	header := w.Header()
	if stale {
		header.Set("Age", strconv.Itoa(int(time.Since(r.began).Seconds())))
		header.Set("Warning", `110 - "Response is Stale"`)
	}
	if r.Status == http.StatusOK && r.etag != "" && httpserve.MatchesETag(req.Header.Get("If-None-Match"), r.etag) {
		delete(header, "Content-Type")
		delete(header, "Content-Length")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(r.Status)
	if req.Method != http.MethodHead {
		_, _ = w.Write(r.body)
	}
}

const (
	// perResponse and perKey are about what a stored response needs besides its bytes.
	perResponse = 512
	perKey      = 64
)

// size returns about how many bytes of memory the response takes under a key.
func (r *Response) size(key string) int64 {
	size := perResponse + len(key) + len(r.body)
	for _, k := range r.keys {
		size += perKey + len(k)
	}
	for _, values := range r.header {
		size += perKey + len(strings.Join(values, ""))
	}
	return int64(size)
}
