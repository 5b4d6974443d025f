package cache_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/gateway/internal/cache"
)

func TestResponse_Serve(t *testing.T) {
	t.Parallel()
	r := cache.NewResponse(http.StatusOK, http.Header{
		"Content-Type": {"application/json"}, "Etag": {`"v1"`}, "Surrogate-Key": {"map:m maps"},
		"Cache-Control": {"public, max-age=0, s-maxage=10"}, "Date": {"long ago"}, "Connection": {"keep-alive"},
	}, []byte("body"))
	unchanged := http.Header{"Etag": {`"v1"`}, "Cache-Control": {"no-cache"}}
	complete := http.Header{
		"Content-Type": {"application/json"}, "Content-Length": {"4"}, "Etag": {`"v1"`}, "Cache-Control": {"no-cache"},
	}
	for _, tt := range []struct {
		name, method, ifNoneMatch string
		status                    int
		header                    http.Header
		body                      string
	}{
		{"no tag", http.MethodGet, "", 200, complete, "body"},
		{"other tags", http.MethodGet, `"v0", W/"v2"`, 200, complete, "body"},
		{"the response's tag", http.MethodGet, `"v0", W/"v1"`, 304, unchanged, ""},
		{"HEAD", http.MethodHead, "", 200, complete, ""},
	} {
		req := httptest.NewRequest(tt.method, "/", http.NoBody)
		if tt.ifNoneMatch != "" {
			req.Header.Set("If-None-Match", tt.ifNoneMatch)
		}
		w := httptest.NewRecorder()
		r.Serve(w, req, false)
		if w.Code != tt.status || w.Body.String() != tt.body {
			t.Errorf("%s: %d %q, want %d %q", tt.name, w.Code, w.Body, tt.status, tt.body)
		}
		if diff := cmp.Diff(tt.header, w.Header()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
