package app_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/pages"
)

// board is the database of a records service that knows of each map how many
// runs there are.
type board struct {
	mu   sync.Mutex
	runs map[string]int
}

func (b *board) add(mapID string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs[mapID]++
	return b.runs[mapID]
}

func (b *board) count(mapID string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.runs[mapID]
}

// boardReplica is a process of that service.
type boardReplica struct {
	*httptest.Server
	nc       *nats.Conn
	notifier *pages.Notifier
	goodbye  func()
	asked    atomic.Int64 // for pages
	// silent has it tell nobody what it changes.
	silent atomic.Bool
	seen   chan http.Header // headers of requests for pages, where there is room
}

func startBoardReplica(t *testing.T, b *board, natsURL string) *boardReplica {
	t.Helper()
	id := uuid.NewString()
	r := &boardReplica{seen: make(chan http.Header, 1)}
	var err error
	if r.nc, err = eventbus.Connect(natsURL, "records", slog.New(slog.DiscardHandler), nats.ReconnectWait(20*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	r.notifier = pages.NewNotifier(r.nc, "records", id, slog.New(slog.DiscardHandler))
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler), Replica: id})
	engine.GET("/api/v1/records", func(c *gin.Context) {
		r.asked.Add(1)
		select {
		case r.seen <- c.Request.Header:
		default:
		}
		mapID := c.Query("map")
		pages.Show(c.Request.Context(), pages.Map(mapID))
		c.String(http.StatusOK, "%d", b.count(mapID))
	})
	engine.POST("/api/v1/records/submit", func(c *gin.Context) {
		mapID := c.Query("map")
		run := b.add(mapID)
		if !r.silent.Load() {
			r.notifier.Changed(c.Request.Context(), pages.Map(mapID))
		}
		c.String(http.StatusCreated, "%d", run)
	})
	r.Server = httptest.NewServer(engine)
	r.goodbye = sync.OnceFunc(r.notifier.Start())
	t.Cleanup(func() {
		r.goodbye()
		r.nc.Close()
		r.Close()
	})
	return r
}

// kill ends the process without a word.
func (r *boardReplica) kill() {
	r.nc.Close()
	r.CloseClientConnections()
	r.Close()
}

func (r *boardReplica) address() string { return r.Listener.Addr().String() }

// boards is a service with its replicas, behind gateways that share NATS.
type boards struct {
	*board
	nats     *natstest.Server
	replicas []*boardReplica
	gateways []*bundle
}

func setupBoards(t *testing.T, replicas, gateways int) *boards {
	t.Helper()
	s := &boards{board: &board{runs: map[string]int{}}, nats: natstest.Start(t)}
	var addresses app.Addresses
	for range replicas {
		r := startBoardReplica(t, s.board, s.nats.URL())
		s.replicas = append(s.replicas, r)
		addresses = append(addresses, r.address())
	}
	for range gateways {
		s.gateways = append(s.gateways, setup(t, func(cfg *app.Config, _ *bundle) {
			cfg.RecordsAddr, cfg.NATSURL, cfg.PageCacheMB = addresses, s.nats.URL(), 16
			cfg.RequestsPerMinute, cfg.SubmissionsPerHour = 1_000_000_000, 1_000_000
		}))
	}
	for _, g := range s.gateways {
		s.awaitKept(t, g)
	}
	return s
}

// runs is how many runs of a map a gateway shows.
func (s *boards) runsAt(t *testing.T, g *bundle, mapID string) int {
	t.Helper()
	got := g.get(t, "/api/v1/records?map="+mapID)
	n, err := strconv.Atoi(got.body)
	if err != nil || got.status != http.StatusOK {
		t.Fatalf("the board of %s: %d %s", mapID, got.status, got.body)
	}
	return n
}

// submit hands a run in through a gateway, and returns how many there are then.
func (s *boards) submit(t *testing.T, g *bundle, mapID string) int {
	t.Helper()
	got := g.send(t, http.MethodPost, "/api/v1/records/submit?map="+mapID, text("run"), g.bearer(t, playerID)...)
	n, err := strconv.Atoi(got.body)
	if err != nil || got.status != http.StatusCreated {
		t.Fatalf("a run on %s: %d %s", mapID, got.status, got.body)
	}
	for _, name := range []string{pages.ShownHeader, pages.ChangedHeader} {
		if got.header.Get(name) != "" {
			t.Errorf("%s is told to everybody: %q", name, got.header.Get(name))
		}
	}
	return n
}

// asked is how often the service was asked for a page.
func (s *boards) asked() (n int64) {
	for _, r := range s.replicas {
		n += r.asked.Load()
	}
	return n
}

// kept tells whether a gateway shows a page a second time without asking.
func (s *boards) kept(t *testing.T, g *bundle) bool {
	t.Helper()
	s.runsAt(t, g, "probe")
	before := s.asked()
	s.runsAt(t, g, "probe")
	return s.asked() == before
}

func (s *boards) awaitKept(t *testing.T, g *bundle) {
	t.Helper()
	eventually.That(t, "pages to be kept", func() bool { return s.kept(t, g) })
}
