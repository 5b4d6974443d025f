package app_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
)

// leaderboards is a records service that has the number of records of each map only.
type leaderboards struct {
	*httptest.Server
	nats    *natstest.Server
	nc      *nats.Conn
	fetched atomic.Int64
	header  atomic.Pointer[http.Header] // of the last request for a leaderboard

	mu      sync.Mutex
	records map[string]int
}

func startLeaderboards(t *testing.T) *leaderboards {
	t.Helper()
	l := &leaderboards{nats: natstest.Start(t), records: map[string]int{}}
	var err error
	if l.nc, err = nats.Connect(l.nats.URL()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.nc.Close)
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	engine.GET("/api/v1/records", func(c *gin.Context) {
		l.fetched.Add(1)
		header := c.Request.Header.Clone()
		l.header.Store(&header)
		l.mu.Lock()
		n := l.records[c.Query("map")]
		l.mu.Unlock()
		httpserve.TagCacheable(c.Request.Context(), httpserve.MapKey(c.Query("map")))
		c.String(http.StatusOK, "%d", n)
	})
	engine.POST("/api/v1/records/submit", func(c *gin.Context) {
		n := l.submit(t, c.Query("map"))
		httpserve.TagChanged(c.Request.Context(), httpserve.MapKey(c.Query("map")))
		c.String(http.StatusCreated, "%d", n)
	})
	l.Server = httptest.NewServer(engine)
	t.Cleanup(l.Close)
	return l
}

// submit stores a record and publishes the event.
func (l *leaderboards) submit(t *testing.T, mapID string) int {
	t.Helper()
	l.mu.Lock()
	l.records[mapID]++
	n := l.records[mapID]
	l.mu.Unlock()
	payload, err := json.Marshal(event.RecordSubmitted{MapID: mapID, PlayerID: playerID})
	if err != nil {
		t.Error(err)
	}
	data, err := json.Marshal(event.Envelope{ID: strconv.Itoa(n), Data: payload})
	if err != nil {
		t.Error(err)
	}
	if err := l.nc.Publish(event.RecordSubmittedSubject, data); err != nil {
		t.Error(err)
	}
	return n
}

// startGateway starts a gateway in front of the service, whose events reach it.
func (l *leaderboards) startGateway(t *testing.T) *bundle {
	t.Helper()
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.Services[route.Records], cfg.NATSURL = app.Addresses{l.Listener.Addr().String()}, l.nats.URL()
		cfg.RequestsPerMinute, cfg.SubmissionsPerHour = 1_000_000_000, 1_000_000
	})
	b.client.Transport = &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 100}
	eventually.WaitFor(t, "the gateway to receive events", func() bool {
		return strings.Contains(b.metrics(t), "gateway_pages_fresh 1")
	})
	return b
}

// recordCount returns how many records of the map m a gateway shows.
func (b *bundle) recordCount(t *testing.T) int {
	t.Helper()
	got := b.get(t, "/api/v1/records?map=m")
	n, err := strconv.Atoi(got.body)
	if err != nil || got.status != http.StatusOK {
		t.Errorf("the leaderboard: %d %s", got.status, got.body)
	}
	return n
}

// submit submits a record of the map m at a gateway, and returns how many it has then.
func (b *bundle) submit(t *testing.T) int {
	t.Helper()
	got := b.send(t, http.MethodPost, "/api/v1/records/submit?map=m", text("replay"), b.bearer(t, playerID)...)
	n, err := strconv.Atoi(got.body)
	if err != nil || got.status != http.StatusCreated {
		t.Errorf("a record: %d %s", got.status, got.body)
	}
	if keys := got.header.Get(httpserve.SurrogateKeyHeader); keys != "" {
		t.Errorf("a client sees the surrogate keys %q", keys)
	}
	return n
}

func TestGateway_cache(t *testing.T) {
	t.Parallel()
	t.Run("a submitter's next read shows the record", func(t *testing.T) {
		t.Parallel()
		g := startLeaderboards(t).startGateway(t)
		done := make(chan struct{})
		var readers sync.WaitGroup
		for range 8 {
			readers.Go(func() {
				for last := 0; ; {
					got := g.recordCount(t)
					if got < last {
						t.Errorf("the leaderboard changed back from %d records to %d", last, got)
					}
					last = got
					select {
					case <-done:
						return
					default:
					}
				}
			})
		}
		for range 100 {
			if want, got := g.submit(t), g.recordCount(t); got < want {
				t.Errorf("after record %d the leaderboard shows %d", want, got)
				break
			}
		}
		close(done)
		readers.Wait()
	})
	t.Run("another gateway follows the event", func(t *testing.T) {
		t.Parallel()
		l := startLeaderboards(t)
		near, far := l.startGateway(t), l.startGateway(t)
		for range 5 {
			far.recordCount(t)
			want := near.submit(t)
			eventually.WaitFor(t, "the record at the other gateway", func() bool {
				return far.recordCount(t) == want
			})
		}
	})
	t.Run("ids in upper case have the response of those in lower case", func(t *testing.T) {
		t.Parallel()
		const player, opponent = "01970000-0000-7000-8000-00000000000a", "01970000-0000-7000-8000-00000000000b"
		b := setup(t, nil)
		b.records.answers(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })
		b.players.answers(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })
		for _, want := range []string{
			"/api/v1/players/" + player, "/api/v1/players/" + player + "/compare/" + opponent,
		} {
			asked := strings.NewReplacer(player, strings.ToUpper(player), opponent, strings.ToUpper(opponent)).Replace(want)
			if got := b.get(t, asked); got.body != want {
				t.Errorf("%s is asked as %s", asked, got.body)
			}
		}
	})
	t.Run("a list for the caller reaches the service with the token and is not stored", func(t *testing.T) {
		t.Parallel()
		b := setup(t, nil)
		for _, service := range []*stub{b.maps, b.records} {
			service.answers(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Cache-Control", httpserve.PrivateCacheControl)
				_, _ = io.WriteString(w, r.Header.Get("Authorization"))
			})
		}
		for path, queries := range map[string]struct{ personal, public []string }{
			"/api/v1/maps/search?": {
				[]string{"progress=played", "%70rogress=unplayed", "sortBy=toNextMedal", "name=sky&sortBy=myRank"},
				[]string{"", "progress=", "sortBy=name", "name=progress&tags=myRank"},
			},
			"/api/v1/records?map=m&": {
				[]string{"following=true", "%66ollowing=1", "following=nonsense"},
				[]string{"", "following=", "following=false", "player=following"},
			},
		} {
			for _, query := range queries.personal {
				for _, caller := range []string{"Bearer a", "Bearer b", ""} {
					got := b.get(t, path+query, "Authorization", caller)
					if got.body != caller || got.header.Get("Cache-Control") != httpserve.PrivateCacheControl {
						t.Errorf("%s%s of %q: %q, %v", path, query, caller, got.body, got.header)
					}
				}
			}
			for _, query := range queries.public {
				if got := b.get(t, path+query, "Authorization", "Bearer a"); got.body != "" {
					t.Errorf("%s%s reaches the service with a token", path, query)
				}
			}
		}
	})
	t.Run("a response is the same for all queries and headers", func(t *testing.T) {
		t.Parallel()
		l := startLeaderboards(t)
		g := l.startGateway(t)
		id := g.get(t, "/api/v1/records?map=m", "Cookie", "session=secret", "Authorization", "Bearer secret",
			"X-Forwarded-For", "198.51.100.7", "Accept-Language", "nl").header.Get("X-Request-Id")
		for name := range *l.header.Load() {
			if name != httpserve.RequestIDHeader && name != httpserve.ServiceHeader {
				t.Errorf("the service got %s", name)
			}
		}
		for _, query := range []string{"?map=m", "?map=m&utm=x", "?utm=x&map=%6d"} {
			for _, headers := range [][]string{nil, {"Cookie", "a=b"}, {"Authorization", "Bearer nonsense"},
				{"Cache-Control", "no-cache"}} {
				got := g.get(t, "/api/v1/records"+query, headers...)
				if got.body != "0" || got.header.Get(httpserve.SurrogateKeyHeader) != "" ||
					got.header.Get("Cache-Control") != "no-cache" {
					t.Errorf("%s with %v: %q %v", query, headers, got.body, got.header)
				}
				if got.header.Get("X-Content-Type-Options") != "nosniff" ||
					!strings.HasPrefix(got.header.Get("Content-Security-Policy"), "default-src 'none'") {
					t.Errorf("a cached response without its security headers: %v", got.header)
				}
				if own := got.header.Values("X-Request-Id"); len(own) != 1 || own[0] == id || own[0] == "" {
					t.Errorf("a cached response has the request ids %q", own)
				}
			}
		}
		etag := g.get(t, "/api/v1/records?map=m").header.Get("ETag")
		if got := g.get(t, "/api/v1/records?map=m", "If-None-Match", etag); got.status != http.StatusNotModified ||
			etag == "" {
			t.Errorf("with the response's tag: %d", got.status)
		}
		if got := g.send(t, http.MethodHead, "/api/v1/records?map=m", nil); got.status != http.StatusOK ||
			got.header.Get("ETag") != etag {
			t.Errorf("HEAD: %d %v", got.status, got.header)
		}
		metrics := g.metrics(t)
		for _, want := range []string{
			`gateway_page_requests_total{outcome="hit",route="/api/v1/records"} `,
			`http_request_duration_seconds_count{method="GET",route="/api/v1/records",status="200"} 14`,
		} {
			if !strings.Contains(metrics, want) {
				t.Errorf("the metrics lack %s", want)
			}
		}
	})
	t.Run("cached responses count for the limit", func(t *testing.T) {
		t.Parallel()
		l := startLeaderboards(t)
		g := setup(t, func(cfg *app.Config, _ *bundle) {
			cfg.Services[route.Records], cfg.RequestsPerMinute = app.Addresses{l.Listener.Addr().String()}, 20
		})
		// One more may pass every three seconds.
		got := passed(t, 60, func() response { return g.get(t, "/api/v1/records?map=m", from("198.51.100.9")...) })
		if got < 20 || got == 60 {
			t.Errorf("%d of 60 requests passed, want 20 and few more", got)
		}
	})
}
