package pagecache_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"capzone.dev/gateway/internal/pagecache"
)

// newSpace returns the space of a service whose pages are fresh.
func newSpace(t *testing.T) *pagecache.Space {
	t.Helper()
	return fresh(newCache(t, 1<<20).Space("records"))
}

func newCache(t *testing.T, maxBytes int64) *pagecache.Cache {
	t.Helper()
	cache, err := pagecache.New(maxBytes, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cache.Close)
	return cache
}

func fresh(s *pagecache.Space) *pagecache.Space {
	s.FreshUntil(time.Now().Add(time.Hour))
	return s
}

// page is an answer that may be kept, with the tags of what it shows.
func page(body, tags string) *pagecache.Page {
	return pagecache.NewPage(http.StatusOK, http.Header{"Etag": {`"` + body + `"`}}, []byte(body), strings.Fields(tags))
}

// body is what a visitor reads on a page.
func body(t *testing.T, p *pagecache.Page) string {
	t.Helper()
	if p == nil {
		return ""
	}
	w := httptest.NewRecorder()
	p.Serve(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
	return w.Body.String()
}

// load asks for a page that a fetch would bring.
func load(t *testing.T, s *pagecache.Space, key string, fetched *pagecache.Page) (*pagecache.Page, pagecache.Outcome) {
	t.Helper()
	got, outcome, err := s.Load(t.Context(), key, func() (*pagecache.Page, error) { return fetched, nil })
	if err != nil {
		t.Fatal(err)
	}
	return got, outcome
}
