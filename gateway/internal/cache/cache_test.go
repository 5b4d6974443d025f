package cache_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"capzone.dev/gateway/internal/cache"
	"capzone.dev/platform/httpserve"
)

// origin is a service whose responses show how often something was changed.
type origin struct {
	fetched atomic.Int64
	version atomic.Int64
	down    atomic.Bool
	// delay is how long a response takes after it was read from the database.
	delay time.Duration
	body  string
}

var errDown = errors.New("the service is down")

func (o *origin) fetch(context.Context) (*cache.Response, error) {
	o.fetched.Add(1)
	if o.down.Load() {
		return nil, errDown
	}
	body := fmt.Sprint(o.version.Load(), o.body)
	time.Sleep(o.delay)
	return response(body, httpserve.MapKey("m"), httpserve.RecordsKey), nil
}

func response(body string, keys ...httpserve.SurrogateKey) *cache.Response {
	header := http.Header{"Etag": {`"` + body[:1] + `"`}, "Cache-Control": {httpserve.CacheControl}}
	for _, key := range keys {
		header.Set(httpserve.SurrogateKeyHeader, header.Get(httpserve.SurrogateKeyHeader)+" "+string(key))
	}
	return cache.NewResponse(http.StatusOK, header, []byte(body))
}

func newCache() *cache.Cache { return cache.New(1<<20, func() bool { return true }) }

// get returns the body of a response and where it came from.
func get(t *testing.T, c *cache.Cache, key string, fetch cache.Fetch) (string, cache.Outcome) {
	t.Helper()
	r, outcome, err := c.Get(context.WithoutCancel(t.Context()), key, fetch)
	if err != nil {
		t.Error(err)
		return "", outcome
	}
	w := httptest.NewRecorder()
	r.Serve(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody), outcome == cache.Stale)
	return w.Body.String(), outcome
}

func expect(t *testing.T, c *cache.Cache, o *origin, body string, outcome cache.Outcome) {
	t.Helper()
	if gotBody, gotOutcome := get(t, c, "/page", o.fetch); gotBody != body || gotOutcome != outcome {
		t.Errorf("got %q (%s), want %q (%s)", gotBody, gotOutcome, body, outcome)
	}
}

func TestCache_Get(t *testing.T) {
	t.Parallel()
	t.Run("after a lost purge, a change shows within ten seconds", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, o := newCache(), &origin{}
			expect(t, c, o, "0", cache.Miss)
			o.version.Add(1)
			time.Sleep(10*time.Second - time.Nanosecond)
			expect(t, c, o, "0", cache.Hit)
			time.Sleep(time.Nanosecond)
			expect(t, c, o, "1", cache.Miss)
		})
	})
	t.Run("without events, a response is served for one second", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var connected atomic.Bool
			c, o := cache.New(1<<20, connected.Load), &origin{}
			expect(t, c, o, "0", cache.Miss)
			time.Sleep(time.Second - time.Nanosecond)
			expect(t, c, o, "0", cache.Hit)
			time.Sleep(time.Nanosecond)
			expect(t, c, o, "0", cache.Miss)
			connected.Store(true)
			time.Sleep(9 * time.Second)
			expect(t, c, o, "0", cache.Hit)
		})
	})
	t.Run("a purge ends a response", func(t *testing.T) {
		t.Parallel()
		c, o := newCache(), &origin{}
		expect(t, c, o, "0", cache.Miss)
		c.Purge(httpserve.MapKey("other"), httpserve.PlayersKey)
		expect(t, c, o, "0", cache.Hit)
		o.version.Add(1)
		c.Purge(httpserve.MapKey("other"), httpserve.MapKey("M"))
		expect(t, c, o, "1", cache.Miss)
		c.PurgeAll()
		expect(t, c, o, "1", cache.Miss)
		expect(t, c, o, "1", cache.Hit)
	})
	t.Run("a response whose fetch began before a purge is not stored", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, o := newCache(), &origin{delay: time.Second}
			var first sync.WaitGroup
			first.Go(func() { get(t, c, "/page", o.fetch) })
			defer first.Wait()
			time.Sleep(500 * time.Millisecond)
			o.version.Add(1)
			c.Purge(httpserve.MapKey("m"))
			// It is not the response to a request after the purge either.
			expect(t, c, o, "1", cache.Miss)
			expect(t, c, o, "1", cache.Hit)
			if n := o.fetched.Load(); n != 2 {
				t.Errorf("fetched %d times, want 2", n)
			}
		})
	})
	t.Run("a purge of other keys does not stop a fetch from being shared", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, o := newCache(), &origin{delay: time.Second}
			var first sync.WaitGroup
			first.Go(func() { get(t, c, "/page", o.fetch) })
			defer first.Wait()
			time.Sleep(500 * time.Millisecond)
			c.Purge(httpserve.MapKey("other"))
			expect(t, c, o, "0", cache.Joined)
		})
	})
	t.Run("500 readers of a cold page share one fetch", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, o := newCache(), &origin{delay: time.Second}
			var readers sync.WaitGroup
			for range 500 {
				readers.Go(func() {
					if body, _ := get(t, c, "/page", o.fetch); body != "0" {
						t.Errorf("got %q", body)
					}
				})
			}
			readers.Wait()
			if n := o.fetched.Load(); n != 1 {
				t.Errorf("fetched %d times, want once", n)
			}
		})
	})
	t.Run("a client that closes its connection does not end the fetch of the others", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, o := newCache(), &origin{delay: time.Second}
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				if _, _, err := c.Get(ctx, "/page", o.fetch); !errors.Is(err, context.Canceled) {
					t.Errorf("the client that closed its connection got %v", err)
				}
			}()
			synctest.Wait()
			cancel()
			expect(t, c, o, "0", cache.Joined)
		})
	})
	t.Run("a context that ends ends the waiting, and not the fetch", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, o := newCache(), &origin{delay: 5 * time.Second}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			began := time.Now()
			_, _, err := c.Get(ctx, "/page", o.fetch)
			if waited := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || waited != 2*time.Second {
				t.Errorf("after %s: %v", waited, err)
			}
			expect(t, c, o, "0", cache.Joined)
		})
	})
	t.Run("a panic of a fetch is its error", func(t *testing.T) {
		t.Parallel()
		fetch := func(context.Context) (*cache.Response, error) { panic("broken") }
		if _, _, err := newCache().Get(t.Context(), "/page", fetch); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a service that is down", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, o := newCache(), &origin{}
			expect(t, c, o, "0", cache.Miss)
			o.down.Store(true)
			time.Sleep(60 * time.Second)
			r, outcome, err := c.Get(t.Context(), "/page", o.fetch)
			if err != nil || outcome != cache.Stale {
				t.Fatalf("after a minute: %s, %v", outcome, err)
			}
			w := httptest.NewRecorder()
			r.Serve(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody), true)
			if w.Header().Get("Age") != "60" || !strings.HasPrefix(w.Header().Get("Warning"), "110 ") {
				t.Errorf("served with Age %q, Warning %q", w.Header().Get("Age"), w.Header().Get("Warning"))
			}
			time.Sleep(time.Second)
			if _, _, err := c.Get(t.Context(), "/page", o.fetch); !errors.Is(err, errDown) {
				t.Errorf("after more than a minute: %v", err)
			}
			o.down.Store(false)
			expect(t, c, o, "0", cache.Miss)
		})
	})
	t.Run("responses that may not be stored", func(t *testing.T) {
		t.Parallel()
		for name, change := range map[string]func(http.Header){
			"no key":        func(h http.Header) { h.Del(httpserve.SurrogateKeyHeader) },
			"no s-maxage":   func(h http.Header) { h.Set("Cache-Control", "no-cache") },
			"a cookie":      func(h http.Header) { h.Set("Set-Cookie", "a=b") },
			"another Vary":  func(h http.Header) { h.Set("Vary", "Cookie") },
			"no entity tag": func(h http.Header) { h.Del("ETag") },
		} {
			c := newCache()
			fetch := func(context.Context) (*cache.Response, error) {
				header := http.Header{"Etag": {`"1"`}, "Cache-Control": {httpserve.CacheControl}, "Surrogate-Key": {"maps"}}
				change(header)
				return cache.NewResponse(http.StatusOK, header, nil), nil
			}
			get(t, c, "/page", fetch)
			if _, outcome := get(t, c, "/page", fetch); outcome != cache.Miss {
				t.Errorf("%s: %s", name, outcome)
			}
		}
	})
}

func TestCache_memory(t *testing.T) {
	t.Parallel()
	t.Run("the least recently used responses make room", func(t *testing.T) {
		t.Parallel()
		c, o := newCache(), &origin{body: strings.Repeat("x", 100<<10)}
		for i := range 30 {
			get(t, c, "/first", o.fetch)
			get(t, c, fmt.Sprint("/", i), o.fetch)
		}
		if _, outcome := get(t, c, "/first", o.fetch); outcome != cache.Hit {
			t.Errorf("the most used response: %s", outcome)
		}
		if _, outcome := get(t, c, "/0", o.fetch); outcome != cache.Miss {
			t.Errorf("the oldest response: %s", outcome)
		}
	})
	t.Run("a response larger than the cache is not stored", func(t *testing.T) {
		t.Parallel()
		c, o := cache.New(0, func() bool { return true }), &origin{}
		expect(t, c, o, "0", cache.Miss)
		expect(t, c, o, "0", cache.Miss)
	})
	t.Run("many purges", func(t *testing.T) {
		t.Parallel()
		c, o := newCache(), &origin{}
		expect(t, c, o, "0", cache.Miss)
		for i := range 1 << 17 { // more than the log of purges holds
			c.Purge(httpserve.MapKey(fmt.Sprint("other", i)))
		}
		expect(t, c, o, "0", cache.Miss) // responses from before the log begins count as purged
		expect(t, c, o, "0", cache.Hit)
	})
}
