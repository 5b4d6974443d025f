package pagecache_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"capzone.dev/devstack/eventually"
	"capzone.dev/gateway/internal/pagecache"
)

func TestAPageIsFetchedOnceAndDroppedWithAnyOfItsTags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		changed []string
		kept    bool
	}{
		{"nothing", nil, true},
		{"another map", []string{"map:2"}, true},
		{"its map", []string{"map:1"}, false},
		{"its player among others", []string{"x", "player:7", "y"}, false},
		{"everything", []string{"*"}, false},
	} {
		s := newSpace(t)
		if got, outcome := load(t, s, "k", page("old", "map:1 player:7")); body(t, got) != "old" || outcome != pagecache.Miss {
			t.Fatalf("first: %s %q", outcome, body(t, got))
		}
		s.Changed(tt.changed)
		if got := s.Get("k") != nil; got != tt.kept {
			t.Errorf("%s changed: kept = %t", tt.name, got)
		}
		want, outcome := "old", pagecache.Hit
		if !tt.kept {
			want, outcome = "new", pagecache.Miss
		}
		if got, o := load(t, s, "k", page("new", "map:1")); body(t, got) != want || o != outcome {
			t.Errorf("%s changed: then %s %q, want %s %q", tt.name, o, body(t, got), outcome, want)
		}
	}
}

func TestOneServicesTagsAreNotAnothers(t *testing.T) {
	t.Parallel()
	cache := newCache(t, 1<<20)
	maps, records := fresh(cache.Space("maps")), fresh(cache.Space("records"))
	load(t, maps, "/maps/1", page("map", "map:1"))
	load(t, records, "/records?map=1", page("board", "map:1"))
	for _, tag := range []string{"map:1", "*"} {
		maps.Changed([]string{tag})
		if maps.Get("/maps/1") != nil || records.Get("/records?map=1") == nil {
			t.Errorf("%s of maps: the map is kept %t, the board %t", tag, maps.Get("/maps/1") != nil, records.Get("/records?map=1") != nil)
		}
	}
}

func TestWhatMayNotBeKept(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]struct {
		status int
		header http.Header
		tags   []string
	}{
		"a page that names nothing": {200, http.Header{"Etag": {`"v"`}}, nil},
		"a page without an ETag":    {200, http.Header{}, []string{"x"}},
		"a failure":                 {404, http.Header{"Etag": {`"v"`}}, []string{"x"}},
		"a cookie":                  {200, http.Header{"Etag": {`"v"`}, "Set-Cookie": {"a=b"}}, []string{"x"}},
		"no-store":                  {200, http.Header{"Etag": {`"v"`}, "Cache-Control": {"no-store"}}, []string{"x"}},
		"what is private":           {200, http.Header{"Etag": {`"v"`}, "Cache-Control": {"private, max-age=5"}}, []string{"x"}},
		"what varies":               {200, http.Header{"Etag": {`"v"`}, "Vary": {"Cookie"}}, []string{"x"}},
	} {
		s := newSpace(t)
		load(t, s, "k", pagecache.NewPage(answer.status, answer.header, nil, answer.tags))
		if s.Get("k") != nil {
			t.Errorf("%s was kept", name)
		}
	}
}

func TestNothingIsKeptOrShownThatIsNotFresh(t *testing.T) {
	t.Parallel()
	s := newSpace(t)
	load(t, s, "k", page("page", "x"))
	s.FreshUntil(time.Time{})
	if s.Get("k") != nil {
		t.Error("it is shown")
	}
	if got, outcome := load(t, s, "k", page("newer", "x")); body(t, got) != "newer" || outcome != pagecache.Unkept {
		t.Errorf("%s %q", outcome, body(t, got))
	}
	fresh(s)
	if got := body(t, s.Get("k")); got != "page" {
		t.Errorf("fresh again, and nothing has changed: %q", got)
	}
	s.FreshUntil(time.Now().Add(-time.Millisecond))
	if s.Get("k") != nil {
		t.Error("it is shown past its time")
	}
}

// held is a fetch that waits until it is let go.
type held struct {
	began, let chan struct{}
	page       *pagecache.Page
	err        error
}

func hold(p *pagecache.Page) *held {
	return &held{began: make(chan struct{}), let: make(chan struct{}), page: p}
}

func (h *held) fetch() (*pagecache.Page, error) {
	close(h.began)
	<-h.let
	return h.page, h.err
}

type loaded struct {
	page    *pagecache.Page
	outcome pagecache.Outcome
	err     error
}

func start(ctx context.Context, s *pagecache.Space, fetch func() (*pagecache.Page, error)) <-chan loaded {
	done := make(chan loaded, 1)
	go func() {
		p, outcome, err := s.Load(ctx, "k", fetch)
		done <- loaded{p, outcome, err}
	}()
	return done
}

func neverFetched(t *testing.T) func() (*pagecache.Page, error) {
	t.Helper()
	return func() (*pagecache.Page, error) {
		t.Error("it was fetched twice")
		return nil, errors.New("fetched twice")
	}
}

func TestWhoAsksMeanwhileWaitsForOneFetch(t *testing.T) {
	t.Parallel()
	s := newSpace(t)
	first := hold(page("page", "x"))
	leader := start(t.Context(), s, first.fetch)
	<-first.began
	ctx, leave := context.WithCancel(t.Context())
	impatient := start(ctx, s, neverFetched(t))
	leave()
	if got := <-impatient; !errors.Is(got.err, context.Canceled) {
		t.Errorf("who leaves gets %v", got.err)
	}
	var others []<-chan loaded
	for range 10 {
		others = append(others, start(t.Context(), s, neverFetched(t)))
	}
	close(first.let)
	if got := <-leader; got.err != nil || got.outcome != pagecache.Miss || body(t, got.page) != "page" {
		t.Errorf("who fetched got %s %q %v", got.outcome, body(t, got.page), got.err)
	}
	for _, other := range others {
		// Who came a little late finds it kept.
		if got := <-other; got.err != nil || body(t, got.page) != "page" {
			t.Errorf("who waited got %s %q %v", got.outcome, body(t, got.page), got.err)
		}
	}
}

func TestAFetchThatFailsIsNotKept(t *testing.T) {
	t.Parallel()
	s := newSpace(t)
	away := errors.New("away")
	if _, _, err := s.Load(t.Context(), "k", func() (*pagecache.Page, error) { return nil, away }); !errors.Is(err, away) {
		t.Errorf("it returned %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _, _ = s.Load(t.Context(), "k", func() (*pagecache.Page, error) { panic("bug") })
	}()
	if got, outcome := load(t, s, "k", page("page", "x")); body(t, got) != "page" || outcome != pagecache.Miss {
		t.Errorf("then %s %q", outcome, body(t, got))
	}
}

func TestWhatWasAskedBeforeAChangeIsNeitherKeptNorShownToWhoAsksAfterIt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(s *pagecache.Space)
		kept   string
	}{
		{"a tag of it changes", func(s *pagecache.Space) { s.Changed([]string{"x"}) }, "new"},
		{"everything changes", func(s *pagecache.Space) { s.Changed([]string{"*"}) }, "new"},
		{"more changes than are remembered", func(s *pagecache.Space) {
			for i := range 20_000 {
				s.Changed([]string{fmt.Sprint("map:", i)})
			}
		}, "new"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSpace(t)
			before, after := hold(page("old", "x")), hold(page("new", "x"))
			early := start(t.Context(), s, before.fetch)
			<-before.began
			tt.change(s)
			late := start(t.Context(), s, after.fetch)
			<-after.began // it did not join
			close(after.let)
			if got := <-late; body(t, got.page) != "new" {
				t.Errorf("who asked after the change got %q", body(t, got.page))
			}
			close(before.let)
			if got := <-early; body(t, got.page) != "old" {
				t.Errorf("who asked before the change got %q", body(t, got.page))
			}
			if got := body(t, s.Get("k")); got != tt.kept {
				t.Errorf("%q is kept, want %q", got, tt.kept)
			}
		})
	}
	t.Run("something else changes", func(t *testing.T) {
		t.Parallel()
		s := newSpace(t)
		fetch := hold(page("page", "x"))
		early := start(t.Context(), s, fetch.fetch)
		<-fetch.began
		s.Changed([]string{"y"})
		close(fetch.let)
		<-early
		if s.Get("k") == nil {
			t.Error("it is not kept")
		}
	})
}

// Readers and writers at once: whoever asks after a change was told never reads
// what was true before it.
func TestNobodyReadsWhatWasTrueBeforeTheyAsked(t *testing.T) {
	t.Parallel()
	cache := newCache(t, 64<<10) // most pages are soon pushed out
	s := fresh(cache.Space("records"))
	const maps = 40
	var truth, told [maps]atomic.Int64
	ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer stop()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for ctx.Err() == nil {
				m := rand.IntN(maps)
				version := truth[m].Add(1)
				s.Changed([]string{fmt.Sprint("map:", m)})
				for { // told only grows
					before := told[m].Load()
					if before >= version || told[m].CompareAndSwap(before, version) {
						break
					}
				}
			}
		})
	}
	for range 6 {
		wg.Go(func() {
			for ctx.Err() == nil {
				m := rand.IntN(maps)
				atLeast := told[m].Load()
				got, _, err := s.Load(context.WithoutCancel(ctx), fmt.Sprint("k", m), func() (*pagecache.Page, error) {
					version := truth[m].Load()
					return page(fmt.Sprint(version, strings.Repeat(" ", 2000)), fmt.Sprint("map:", m)), nil
				})
				if err != nil {
					t.Error(err)
					return
				}
				var version int64
				if _, err := fmt.Sscan(body(t, got), &version); err != nil || version < atLeast {
					t.Errorf("map %d: read version %d after %d was told (%v)", m, version, atLeast, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestTheCacheIsBounded(t *testing.T) {
	t.Parallel()
	const bound = 256 << 10
	cache := newCache(t, bound)
	s := fresh(cache.Space("records"))
	for i := range 2000 {
		load(t, s, fmt.Sprint(i), page(strings.Repeat("x", 1000), fmt.Sprint("all map:", i)))
	}
	load(t, s, "huge", page(strings.Repeat("x", 2*bound), "all"))
	weight := func() float64 { return metric(t, cache, "gateway_pages_bytes") }
	eventually.That(t, "an end of what is too much", func() bool { return weight() <= bound })
	if weight() < bound/2 || metric(t, cache, "gateway_pages_kept") < 50 {
		t.Errorf("of %d bytes %v are used for %v pages", bound, weight(), metric(t, cache, "gateway_pages_kept"))
	}
	s.Changed([]string{"all"})
	eventually.That(t, "an empty cache", func() bool { return metric(t, cache, "gateway_pages_kept") == 0 && weight() == 0 })
	if got := testutil.CollectAndCount(cache, "gateway_pages_fresh"); got != 1 {
		t.Errorf("freshness is told of %d services", got)
	}
}
