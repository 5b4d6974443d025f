package httpserve_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

type bundle struct {
	engine *gin.Engine
	signer *token.Signer
	log    *bytes.Buffer

	metrics *prometheus.Registry
}

func setup(t *testing.T) *bundle {
	t.Helper()
	key, err := token.NewKey()
	require.NoError(t, err)
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	require.NoError(t, err)
	b := &bundle{signer: signer, log: &bytes.Buffer{}, metrics: prometheus.NewRegistry()}
	b.engine = httpserve.NewEngine(httpserve.Options{
		Log: slog.New(
			telemetry.LogHandler(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelInfo})),
		),
		Verifier: token.NewLocalVerifier(signer),
		MaxBody:  1 << 20, Registerer: b.metrics,
	})
	return b
}

func (b *bundle) serve(t *testing.T, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	b.engine.ServeHTTP(w, r)
	return w
}

func (b *bundle) get(t *testing.T, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return b.serve(t, r)
}

func failure(t *testing.T, w *httptest.ResponseRecorder) httpserve.Failure {
	t.Helper()
	var f httpserve.Failure
	if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil {
		t.Fatalf("no envelope: %v: %q", err, w.Body)
	}
	return f
}

// unread is a body that must not be read.
type unread struct{ t *testing.T }

func (b unread) Read([]byte) (int, error) {
	b.t.Error("the body is read")
	return 0, io.EOF
}

func TestNewEngine_bodies_without_a_route(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/here", func(c *gin.Context) { c.Status(http.StatusOK) })
	for path, want := range map[string]int{"/nowhere": http.StatusNotFound, "/here": http.StatusMethodNotAllowed} {
		if w := b.serve(t, httptest.NewRequest(http.MethodPost, path, unread{t})); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

// The gateway names the service that a request is for. Other clients name none.
func TestNewEngine_misdirected_requests(t *testing.T) {
	t.Parallel()
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler), Service: "maps"})
	handled := 0
	engine.POST("/things", func(*gin.Context) { handled++ })
	for _, tt := range []struct {
		service, method, path string
		status                int
	}{
		{"", http.MethodPost, "/things", http.StatusOK},
		{"maps", http.MethodPost, "/things", http.StatusOK},
		{"records", http.MethodPost, "/things", http.StatusMisdirectedRequest},
		{"records", http.MethodGet, "/nowhere", http.StatusMisdirectedRequest},
		{"maps", http.MethodGet, httpserve.HealthPath, http.StatusOK},
		{"records", http.MethodGet, httpserve.HealthPath, http.StatusMisdirectedRequest},
	} {
		r := httptest.NewRequest(tt.method, tt.path, nil)
		if tt.service != "" {
			r.Header.Set(httpserve.ServiceHeader, tt.service)
		}
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		if w.Code != tt.status {
			t.Errorf("%s %s for %q: %d, want %d", tt.method, tt.path, tt.service, w.Code, tt.status)
		}
	}
	if handled != 2 {
		t.Errorf("%d requests were handled, want 2", handled)
	}
}

func TestNewEngine_without_a_route(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.POST("/things", func(c *gin.Context) {
		_, err := io.ReadAll(c.Request.Body)
		httpserve.RenderMalformed(c, err)
	})
	for _, tt := range []struct {
		name   string
		r      *http.Request
		status int
		code   string
	}{
		{"an unknown address", httptest.NewRequest(http.MethodGet, "/nowhere", nil), 404, "not_found"},
		{"a wrong method", httptest.NewRequest(http.MethodPut, "/things", nil), 405, "method_not_allowed"},
		{"Content-Length over the limit", httptest.NewRequest(http.MethodPost, "/things",
			strings.NewReader(strings.Repeat("a", 1<<20+1))), 413, "body_too_large"},
		{"a body that turns out too large", httptest.NewRequest(http.MethodPost, "/things",
			io.LimitReader(endless{}, 1<<20+1)), 413, "body_too_large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := b.serve(t, tt.r)
			if f := failure(t, w); w.Code != tt.status || f.Code != tt.code || f.RequestID == "" {
				t.Errorf("got %d %+v, want %d %s", w.Code, f, tt.status, tt.code)
			}
		})
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestNewEngine_forged_request_id(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, id := range []string{"short", "with space inside", "line\nbreak-00000", strings.Repeat("a", 65)} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header[httpserve.RequestIDHeader] = []string{id}
		if got := b.serve(t, r).Header().Get(httpserve.RequestIDHeader); got == id || uuid.Validate(got) != nil {
			t.Errorf("request id %q became %q", id, got)
		}
	}
}

func TestCaller(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/public", func(c *gin.Context) { c.String(http.StatusOK, "all may read") })
	b.engine.GET("/mine", func(c *gin.Context) {
		claims, err := httpserve.Caller(c.Request.Context())
		if err != nil {
			httpserve.Render(c, err)
			return
		}
		c.String(http.StatusOK, claims.Name)
	})
	raw, err := b.signer.Sign(token.Claims{PlayerID: uuid.NewString(), Name: "cloudstep"})
	require.NoError(t, err)
	if w := b.get(t, "/public", "Authorization", "Bearer nonsense"); w.Code != http.StatusOK {
		t.Errorf("a bad token broke browsing: %d", w.Code)
	}
	if w := b.get(t, "/mine", "Authorization", "Bearer "+raw); w.Body.String() != "cloudstep" {
		t.Errorf("the caller is %q", w.Body)
	}
	for header, code := range map[string]string{"": "token_missing", "Basic abc": "token_missing",
		"Bearer nonsense": "token_invalid"} {
		w := b.get(t, "/mine", "Authorization", header)
		if f := failure(t, w); w.Code != http.StatusUnauthorized || f.Code != code ||
			w.Header().Get("WWW-Authenticate") == "" {
			t.Errorf("Authorization %q: %d %s, want 401 %s", header, w.Code, f.Code, code)
		}
	}
}

func TestNewEngine_entity_tags(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/page", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"a": 1}) })
	b.engine.GET("/secret", func(c *gin.Context) {
		c.Header("Cache-Control", "no-store")
		c.JSON(http.StatusOK, gin.H{"a": 1})
	})
	first := b.get(t, "/page")
	tag := first.Header().Get("ETag")
	if tag == "" || first.Body.String() != `{"a":1}` {
		t.Fatalf("tag %q, body %q", tag, first.Body)
	}
	for _, header := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
		if w := b.get(t, "/page", "If-None-Match", header); w.Code != http.StatusNotModified || w.Body.Len() != 0 ||
			w.Header().Get("ETag") != tag {
			t.Errorf("If-None-Match %s: %d %q", header, w.Code, w.Body)
		}
	}
	if w := b.get(t, "/page", "If-None-Match", `"other"`); w.Code != http.StatusOK {
		t.Errorf("another tag: %d", w.Code)
	}
	if w := b.get(t, "/secret"); w.Header().Get("ETag") != "" || w.Body.String() != `{"a":1}` {
		t.Errorf("what is not stored has tag %q", w.Header().Get("ETag"))
	}
	if w := b.get(t, "/nowhere"); w.Header().Get("ETag") != "" {
		t.Error("a failure has a tag")
	}
}

func TestAnswerHEAD(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/page", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"a": 1}) })
	b.engine.GET("/file", func(c *gin.Context) {
		c.Header("ETag", `"1"`)
		http.ServeContent(c.Writer, c.Request, "", time.Time{}, strings.NewReader("0123456789"))
	})
	b.engine.POST("/write", func(c *gin.Context) { c.Status(http.StatusOK) })
	httpserve.AnswerHEAD(b.engine)
	server := httptest.NewServer(b.engine)
	defer server.Close()
	for path, want := range map[string]struct {
		status int
		length int64
	}{"/page": {200, 7}, "/file": {200, 10}, "/nowhere": {404, -1}, "/write": {405, -1}} {
		resp, err := server.Client().Head(server.URL + path)
		require.NoError(t, err)
		_ = resp.Body.Close()
		if resp.StatusCode != want.status || want.length >= 0 && resp.ContentLength != want.length ||
			(resp.Header.Get("ETag") != "") != (want.status == http.StatusOK) {
			t.Errorf("%s: %d, %d bytes, %v", path, resp.StatusCode, resp.ContentLength, resp.Header)
		}
	}
}

func TestNewEngine_ranges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/file", func(c *gin.Context) {
		c.Header("ETag", `"1"`)
		http.ServeContent(c.Writer, c.Request, "", time.Time{}, strings.NewReader("0123456789"))
	})
	for _, tt := range []struct {
		ranges []string
		want   string
	}{
		{[]string{"bytes=2-3"}, "23"}, {[]string{"bytes=-1"}, "9"}, {[]string{"bytes=0-0,2-3"}, "0123456789"},
		{[]string{"bytes=0-0", "bytes=2-3"}, "0123456789"},
		{[]string{"bytes=" + strings.Repeat("0-0,", 4000)}, "0123456789"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/file", nil)
		r.Header["Range"] = tt.ranges
		if w := b.serve(t, r); w.Body.String() != tt.want {
			t.Errorf("%.40q: %d %q, want %q", tt.ranges, w.Code, w.Body, tt.want)
		}
	}
}

func TestNewEngine_content_length(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/long", func(c *gin.Context) { c.String(http.StatusOK, strings.Repeat("x", 50_000)) })
	b.engine.GET("/short", func(c *gin.Context) { c.String(http.StatusOK, "short") })
	server := httptest.NewServer(b.engine)
	defer server.Close()
	for range 2 { // the second is held where the first was
		for path, length := range map[string]int64{"/long": 50_000, "/short": 5} {
			resp, err := server.Client().Get(server.URL + path)
			require.NoError(t, err)
			body, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil || resp.ContentLength != length || int64(len(body)) != length ||
				len(resp.TransferEncoding) > 0 {
				t.Errorf("%s: %d bytes, Content-Length %d, encoded %v, %v", path,
					len(body), resp.ContentLength, resp.TransferEncoding,
					err)
			}
		}
	}
}
