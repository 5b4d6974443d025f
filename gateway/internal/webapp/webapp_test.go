package webapp_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/webapp"
	"capzone.dev/platform/httpserve"
)

func build(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dist")
	for name, content := range map[string]string{
		"index.html":             "<!doctype html>the application",
		"favicon.svg":            "<svg/>",
		"assets/app-1a2b.js":     "plain",
		"assets/app-1a2b.js.br":  "brotli",
		"assets/app-1a2b.js.gz":  "gzip",
		".vite/manifest.json":    "{}",
		".env":                   "build",
		"assets/app-1a2b.js.map": "{}",
		"../secret.txt":          "secret",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return dir
}

func ask(t *testing.T, h *webapp.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	engine.NoRoute(h.Serve(func(c *gin.Context) { h.ServePage(c, webapp.Index) }))
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = path
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, r)
	return w
}

const browser = "text/html,application/xhtml+xml,*/*;q=0.8"

func TestHandler_Serve(t *testing.T) {
	t.Parallel()
	h := webapp.New(build(t))
	for _, tt := range []struct {
		name, method, path, encodings string
		status                        int
		body, cache, encoding         string
	}{
		{"the root", "GET", "/", "", 200, "<!doctype html>the application", "no-cache", ""},
		{"a deep link", "GET", "/leaderboard/0197", "", 200, "<!doctype html>the application", "no-cache", ""},
		{"the page by its name", "GET", "/index.html", "", 404, "", "no-store", ""},
		{"a file of the root", "GET", "/favicon.svg", "", 200, "<svg/>", "no-cache", ""},
		{"a hashed asset", "GET", "/assets/app-1a2b.js", "", 200, "plain", "public, max-age=31536000, immutable", ""},
		{"with Brotli", "GET", "/assets/app-1a2b.js", "gzip, deflate, br", 200, "brotli",
			"public, max-age=31536000, immutable", "br"},
		{"with gzip", "GET", "/assets/app-1a2b.js", "gzip;q=0.8", 200, "gzip", "public, max-age=31536000, immutable", "gzip"},
		{"with Brotli refused", "GET", "/assets/app-1a2b.js", "br;q=0, gzip", 200, "gzip",
			"public, max-age=31536000, immutable", "gzip"},
		{"an asset of another build", "GET", "/assets/app-0000.js", "", 404, "", "no-store", ""},
		{"an unknown call", "GET", "/api/v1/nonsense", "", 404, "", "no-store", ""},
		{"the API's root", "GET", "/api", "", 404, "", "no-store", ""},
		{"an unknown image", "GET", "/media/maps", "", 404, "", "no-store", ""},
		{"a file outside", "GET", "/../secret.txt", "", 404, "", "no-store", ""},
		{"a file outside, hidden", "GET", "/assets/../../secret.txt", "", 404, "", "no-store", ""},
		{"a folder", "GET", "/assets", "", 200, "<!doctype html>the application", "no-cache", ""},
		{"the build's manifest", "GET", "/.vite/manifest.json", "", 404, "", "no-store", ""},
		{"a hidden file", "GET", "/.env", "", 404, "", "no-store", ""},
		{"a source map", "GET", "/assets/app-1a2b.js.map", "", 404, "", "no-store", ""},
		{"a compressed form", "GET", "/assets/app-1a2b.js.br", "", 404, "", "no-store", ""},
		{"another method", "POST", "/", "", 405, "", "no-store", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := ask(t, h, tt.method, tt.path, "Accept", browser, "Accept-Encoding", tt.encodings)
			if w.Code != tt.status || w.Header().Get("Cache-Control") != tt.cache ||
				w.Header().Get("Content-Encoding") != tt.encoding {
				t.Errorf("got %d, Cache-Control %q, Content-Encoding %q", w.Code, w.Header().Get("Cache-Control"),
					w.Header().Get("Content-Encoding"))
			}
			if tt.body != "" && w.Body.String() != tt.body {
				t.Errorf("got %q, want %q", w.Body, tt.body)
			}
			if tt.status != 200 && !strings.Contains(w.Body.String(), `"requestId"`) {
				t.Errorf("no envelope: %s", w.Body)
			}
		})
	}
}

func TestHandler_Serve_programs(t *testing.T) {
	t.Parallel()
	if w := ask(t, webapp.New(build(t)), http.MethodGet, "/leaderboard/0197", "Accept",
		"application/json"); w.Code != http.StatusNotFound {
		t.Errorf("got %d", w.Code)
	}
}

func TestHandler_Serve_without_a_build(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"", t.TempDir()} {
		h := webapp.New(dir)
		w := ask(t, h, http.MethodGet, "/map-search", "Accept", browser)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "has not been built") {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	}
}

func TestHandler_Serve_entity_tags(t *testing.T) {
	t.Parallel()
	dir := build(t)
	h := webapp.New(dir)
	tags := map[string]bool{}
	for _, headers := range [][]string{{"/"}, {"/assets/app-1a2b.js"}, {"/assets/app-1a2b.js", "Accept-Encoding", "br"},
		{"/favicon.svg"}} {
		path, headers := headers[0], append(headers[1:], "Accept", browser)
		first := ask(t, h, http.MethodGet, path, headers...)
		tag := first.Header().Get("ETag")
		if tag == "" || tags[tag] {
			t.Errorf("%s with %q has the tag %q", path, headers, tag)
		}
		tags[tag] = true
		if again := ask(t, h, http.MethodGet, path,
			append(headers, "If-None-Match", tag)...); again.Code != http.StatusNotModified {
			t.Errorf("%s again: %d", path, again.Code)
		}
		if head := ask(t, h, http.MethodHead, path, headers...); head.Code != http.StatusOK || head.Body.Len() != 0 {
			t.Errorf("HEAD %s: %d with %d bytes", path, head.Code, head.Body.Len())
		}
	}
	before := ask(t, h, http.MethodGet, "/", "Accept", browser).Header().Get("ETag")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("<!doctype html>a new build"), 0o600))
	if w := ask(t, h, http.MethodGet, "/", "Accept", browser, "If-None-Match", before); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), "a new build") {
		t.Errorf("after a new build: %d %s", w.Code, w.Body)
	}
}
