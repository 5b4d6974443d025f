package pagecache

import (
	"net/http"
	"testing"
	"time"
)

// While a page is being evicted, the index has forgotten it and the table has not.
// A change in that moment cannot drop it, so it must not be shown.
func TestAPageThatTheIndexHasForgottenIsNotShown(t *testing.T) {
	t.Parallel()
	cache, err := New(1<<20, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cache.Close)
	space := cache.Space("records")
	space.FreshUntil(time.Now().Add(time.Hour))
	page := NewPage(http.StatusOK, http.Header{"Etag": {`"1"`}}, []byte("before"), []string{"map:1"})
	if _, _, err := space.Load(t.Context(), "/page", func() (*Page, error) { return page, nil }); err != nil {
		t.Fatal(err)
	}
	if space.Get("/page") != page {
		t.Fatal("the page is not kept")
	}
	cache.index.remove(page)
	space.Changed([]string{"map:1"})
	if space.Get("/page") != nil {
		t.Error("a page is shown that a change could not drop")
	}
}
