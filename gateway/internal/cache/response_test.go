package cache_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
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
		assert.Equal(t, tt.name, tt.header, w.Header())
	}
}

func TestResponse_Serve_compressed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("text", 256)
	for _, tt := range []struct {
		name, contentType, body, accept, ifNoneMatch string
		status                                       int
		encoding, vary, etag                         string
	}{
		{"JSON", "application/json; charset=utf-8", long, "gzip, br", "", 200, "gzip", "Accept-Encoding", `W/"v1"`},
		{"HTML", "text/html", long, "gzip", "", 200, "gzip", "Accept-Encoding", `W/"v1"`},
		{"a feed", "application/atom+xml", long, "gzip", "", 200, "gzip", "Accept-Encoding", `W/"v1"`},
		{"a client that does not accept it", "application/json", long, "br, gzip;q=0", "", 200, "", "Accept-Encoding", `"v1"`},
		{"a short response", "application/json", long[1:], "gzip", "", 200, "", "", `"v1"`},
		{"a picture", "image/png", long, "gzip", "", 200, "", "", `"v1"`},
		{"unchanged since it came compressed", "application/json", long, "gzip", `W/"v1"`, 304, "", "Accept-Encoding", `W/"v1"`},
		{"unchanged since it came as it is", "application/json", long, "gzip", `"v1"`, 304, "", "Accept-Encoding", `W/"v1"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := cache.NewResponse(http.StatusOK, http.Header{"Content-Type": {tt.contentType}, "Etag": {`"v1"`}}, []byte(tt.body))
			for range 2 {
				req := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
				req.Header.Set("Accept-Encoding", tt.accept)
				req.Header.Set("If-None-Match", tt.ifNoneMatch)
				w := httptest.NewRecorder()
				r.Serve(w, req, false)
				got := w.Result()
				if got.StatusCode != tt.status || got.Header.Get("Content-Encoding") != tt.encoding ||
					got.Header.Get("Vary") != tt.vary || got.Header.Get("ETag") != tt.etag {
					t.Errorf("%d %v", got.StatusCode, got.Header)
				}
				if body := decompressed(t, got); tt.status == 200 && body != tt.body {
					t.Errorf("the body is %q", body)
				}
			}
		})
	}
}

func decompressed(t *testing.T, r *http.Response) string {
	t.Helper()
	reader := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(r.Body)
		require.NoError(t, err)
		reader = unzipped
	}
	body, err := io.ReadAll(reader)
	require.NoError(t, err)
	return string(body)
}
