package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/pages"
)

func TestAPageIsKeptForEverybodyUntilItChanges(t *testing.T) {
	t.Parallel()
	s := setupBoards(t, 2, 2)
	near, far := s.gateways[0], s.gateways[1]
	s.runsAt(t, near, "m")
	s.runsAt(t, far, "m")
	// A machine that stands still for a second lets pages go, and is asked again.
	eventually.That(t, "a round of requests with which nobody asks the service", func() bool {
		asked := s.asked()
		for _, path := range []string{"?map=m", "?map=m&utm=x", "?utm=x&map=%6d"} {
			for _, headers := range [][]string{nil, {"Cookie", "a=b"}, {"Authorization", "Bearer nonsense"}, {"Cache-Control", "no-cache"}} {
				got := near.get(t, "/api/v1/records"+path, headers...)
				if got.body != "0" || got.header.Get("Set-Cookie") != "" || got.header.Get(pages.ShownHeader) != "" {
					t.Errorf("%s with %v: %q %v", path, headers, got.body, got.header)
				}
				if got.header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(got.header.Get("Content-Security-Policy"), "default-src 'none'") {
					t.Errorf("a kept page without its security headers: %v", got.header)
				}
			}
		}
		return s.asked() == asked
	})
	etag := near.get(t, "/api/v1/records?map=m").header.Get("ETag")
	if got := near.get(t, "/api/v1/records?map=m", "If-None-Match", etag); got.status != http.StatusNotModified || got.body != "" || etag == "" {
		t.Errorf("who has the page gets %d %q", got.status, got.body)
	}
	if got := near.send(t, http.MethodHead, "/api/v1/records?map=m", nil); got.status != http.StatusOK || got.header.Get("ETag") != etag {
		t.Errorf("HEAD: %d %v", got.status, got.header)
	}
	for i := range 20 {
		run := s.submit(t, near, "m")
		if got := s.runsAt(t, near, "m"); got != run || run != i+1 {
			t.Fatalf("after run %d its own gateway shows %d", run, got)
		}
		eventually.That(t, "the run at the other gateway", func() bool { return s.runsAt(t, far, "m") == run })
	}
	metrics := near.metrics(t)
	for _, want := range []string{
		`gateway_page_requests_total{outcome="hit",route="/api/v1/records"}`, `gateway_pages_fresh{service="records"} 1`,
		`gateway_pages_fresh{service="maps"} 0`, `gateway_page_notices_total{service="records"}`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

func TestAPageIsAskedForWithNothingOfWhoAsks(t *testing.T) {
	t.Parallel()
	s := setupBoards(t, 1, 1)
	r := s.replicas[0]
	select {
	case <-r.seen:
	default:
	}
	s.gateways[0].get(t, "/api/v1/records?map=unseen", "Cookie", "session=secret", "Authorization", "Bearer secret", "X-Forwarded-For", "198.51.100.7", "Accept-Language", "nl")
	for name := range <-r.seen {
		if name != httpserve.RequestIDHeader {
			t.Errorf("the service is told %s", name)
		}
	}
}

func TestKeptPagesCountForTheLimit(t *testing.T) {
	t.Parallel()
	s := setupBoards(t, 1, 0)
	g := setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.RecordsAddr, cfg.NATSURL, cfg.PageCacheMB = app.Addresses{s.replicas[0].address()}, s.nats.URL(), 16
		cfg.RequestsPerMinute = 20
	})
	eventually.That(t, "pages to be kept", func() bool { return strings.Contains(g.metrics(t), `gateway_pages_fresh{service="records"} 1`) })
	// One more may pass every three seconds while they are asked for.
	got := passed(t, 60, func() response { return g.get(t, "/api/v1/records?map=m", from("198.51.100.9")...) })
	if got < 20 || got == 60 {
		t.Errorf("%d of 60 requests passed, want 20 and few more", got)
	}
	if asked := s.asked(); asked >= int64(got) {
		t.Errorf("the service was asked %d times, though only %d requests passed", asked, got)
	}
}

// Writers and readers at two gateways, before two replicas.
func TestNobodySeesARunVanish(t *testing.T) {
	t.Parallel()
	s := setupBoards(t, 2, 2)
	const maps = 3
	end := time.Now().Add(2 * time.Second)
	var wg sync.WaitGroup
	for i, g := range append(s.gateways, s.gateways...) {
		wg.Go(func() { // reads its own writes
			for n := 0; time.Now().Before(end); n++ {
				m := fmt.Sprint("m", (n+i)%maps)
				run := s.submit(t, g, m)
				if got := s.runsAt(t, g, m); got < run {
					t.Errorf("after run %d of %s its own gateway shows %d", run, m, got)
					return
				}
			}
		})
		wg.Go(func() { // sees what others wrote, ever more of it, within a second
			last := map[string]int{}
			for n := 0; time.Now().Before(end); n++ {
				m := fmt.Sprint("m", n%maps)
				began := time.Now()
				there := s.count(m)
				for shown := s.runsAt(t, g, m); shown < there; shown = s.runsAt(t, g, m) {
					if shown < last[m] {
						t.Errorf("%s went back from %d runs to %d", m, last[m], shown)
						return
					}
					if late := time.Since(began); late > 5*time.Second {
						t.Errorf("%s shows %d of %d runs after %s", m, shown, there, late)
						return
					}
				}
				last[m] = there
			}
		})
	}
	wg.Wait()
}

func TestWithoutNATSNothingIsKept(t *testing.T) {
	t.Parallel()
	s := setupBoards(t, 2, 2)
	near, far := s.gateways[0], s.gateways[1]
	s.runsAt(t, far, "m")
	s.nats.Stop()
	eventually.That(t, "an end of keeping", func() bool { return !s.kept(t, near) && !s.kept(t, far) })
	for range 5 {
		run := s.submit(t, near, "m")
		if got := s.runsAt(t, far, "m"); got != run {
			t.Errorf("after run %d the other gateway shows %d", run, got)
		}
	}
	s.nats.Restart()
	for _, g := range s.gateways {
		s.awaitKept(t, g)
		if got := s.runsAt(t, g, "m"); got != 5 {
			t.Errorf("after the return of NATS a gateway shows %d runs of 5", got)
		}
	}
	run := s.submit(t, near, "m")
	eventually.That(t, "the run at the other gateway", func() bool { return s.runsAt(t, far, "m") == run })
}

func TestAReplicaThatDiesBetweenACommitAndItsNoticeLeavesNoOldPage(t *testing.T) {
	t.Parallel()
	s := setupBoards(t, 2, 2)
	near, far := s.gateways[0], s.gateways[1]
	for _, g := range s.gateways {
		s.runsAt(t, g, "m")
	}
	s.replicas[0].silent.Store(true)
	s.add("m") // it commits, and is gone
	s.replicas[0].kill()
	killed := time.Now()
	for _, g := range []*bundle{near, far} {
		eventually.That(t, "the run", func() bool { return s.runsAt(t, g, "m") == 1 })
	}
	t.Logf("the run was seen %s after the death", time.Since(killed))
	for _, g := range s.gateways { // and the other replica's pages are kept again
		s.awaitKept(t, g)
	}
}

func TestAReplicaWithoutNATSKeepsItsServicesPagesFromBeingKept(t *testing.T) {
	t.Parallel()
	s := setupBoards(t, 2, 2)
	near, far := s.gateways[0], s.gateways[1]
	s.replicas[1].nc.Close()
	eventually.That(t, "an end of keeping", func() bool { return !s.kept(t, near) && !s.kept(t, far) })
	for range 6 { // by each replica in turn
		run := s.submit(t, near, "m")
		if got := s.runsAt(t, far, "m"); got != run {
			t.Errorf("after run %d the other gateway shows %d", run, got)
		}
	}
	s.replicas[1].kill()
	s.awaitKept(t, near)
	s.awaitKept(t, far)
}

func TestReplicasComeAndGoWithoutHarm(t *testing.T) {
	t.Parallel()
	s := setupBoards(t, 2, 1)
	g := s.gateways[0]
	s.runsAt(t, g, "m")
	s.replicas[1].goodbye()
	s.replicas[1].kill()
	for range 3 {
		run := s.submit(t, g, "m")
		if got := s.runsAt(t, g, "m"); got != run {
			t.Errorf("after run %d: %d", run, got)
		}
	}
	s.awaitKept(t, g)
}
