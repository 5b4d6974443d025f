package cache_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/platform/httpserve"
)

func TestCompose(t *testing.T) {
	t.Parallel()
	r := cache.Compose(cache.Composition{
		Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte("page"), MaxAge: time.Minute,
		Keys:  []httpserve.SurrogateKey{"pages"},
		Parts: []*cache.Response{response("a", "map:m", "records"), response("b", "player:p", "map:m")},
	})
	assert.Equal(t, "keys", []httpserve.SurrogateKey{"map:m", "pages", "player:p", "records"}, r.Keys())
	other := cache.Compose(cache.Composition{Status: http.StatusOK, Header: http.Header{}, Body: []byte("another page")})
	if r.ETag() == "" || r.ETag() == other.ETag() {
		t.Errorf("ETags %s and %s", r.ETag(), other.ETag())
	}
	w := httptest.NewRecorder()
	r.Serve(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody), false)
	want := http.Header{"Content-Type": {"text/html"}, "Content-Length": {"4"}, "Etag": {r.ETag()}}
	if diff := cmp.Diff(want, w.Header()); diff != "" || w.Body.String() != "page" {
		t.Errorf("%q (-want +got):\n%s", w.Body, diff)
	}
	missing := cache.Compose(cache.Composition{
		Status: http.StatusNotFound, Header: http.Header{}, Body: []byte("page"), MaxAge: time.Minute,
		Keys: []httpserve.SurrogateKey{"pages"},
	})
	if missing.ETag() != "" || len(missing.Keys()) > 0 {
		t.Errorf("a page with the status 404 has the ETag %q and the keys %v", missing.ETag(), missing.Keys())
	}
}

func TestCache_Get_compositions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, o := newCache(), &origin{}
		made := 0
		compose := func(status int) cache.Fetch {
			return func(ctx context.Context) (*cache.Response, error) {
				made++
				part, _, err := c.Get(ctx, "/part", o.fetch)
				return cache.Compose(cache.Composition{
					Status: status, Header: http.Header{}, Body: part.Body(), Parts: []*cache.Response{part}, MaxAge: time.Hour,
				}), err
			}
		}
		expectMade := func(body string, times int) {
			t.Helper()
			if got, _ := get(t, c, "/composed", compose(http.StatusOK)); got != body || made != times {
				t.Errorf("%q, made %d times; want %q, made %d times", got, made, body, times)
			}
		}
		if _, outcome := get(t, c, "/part", o.fetch); outcome != cache.Miss {
			t.Errorf("the first part: %s", outcome)
		}
		time.Sleep(4 * time.Second)
		expectMade("0", 1)
		o.version.Add(1)
		time.Sleep(5 * time.Second)
		expectMade("0", 1)
		time.Sleep(time.Second) // the part is ten seconds old, the composition six
		expectMade("1", 2)
		o.version.Add(1)
		c.Purge(httpserve.RecordsKey)
		expectMade("2", 3)
		c.Purge(httpserve.StatsKey)
		expectMade("2", 3)
		for range 2 {
			get(t, c, "/missing", compose(http.StatusNotFound))
		}
		if made != 5 {
			t.Errorf("pages with the status 404 are stored")
		}
	})
}
