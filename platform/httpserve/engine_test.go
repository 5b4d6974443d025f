package httpserve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/correlation"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
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
	if err != nil {
		t.Fatal(err)
	}
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	b := &bundle{signer: signer, log: &bytes.Buffer{}, metrics: prometheus.NewRegistry()}
	b.engine = httpserve.NewEngine(httpserve.Options{
		Log:      slog.New(correlation.LogHandler(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelInfo}))),
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

func TestAProblemBecomesTheEnvelope(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/conflict", func(c *gin.Context) {
		err := problem.Conflict("map_exists", "This map was submitted before.").WithData("_id", "m1").
			WithField("replayFile", "known").Because(errors.New("constraint maps_bonk_db_id_key"))
		httpserve.Render(c, fmt.Errorf("submit: %w", err))
	})
	w := b.get(t, "/conflict", httpserve.RequestIDHeader, "request-0001")
	want := httpserve.Failure{
		Code: "map_exists", Message: "This map was submitted before.", Data: map[string]any{"_id": "m1"},
		Errors: []problem.Field{{Field: "replayFile", Message: "known"}}, RequestID: "request-0001",
	}
	if diff := cmp.Diff(want, failure(t, w)); diff != "" || w.Code != http.StatusConflict {
		t.Errorf("status %d, envelope (-want +got):\n%s", w.Code, diff)
	}
	if strings.Contains(w.Body.String(), "constraint") {
		t.Error("the cause was sent")
	}
}

func TestOurFaultsAreLoggedAndHidden(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/error", func(c *gin.Context) { httpserve.Render(c, errors.New("database password is hunter2")) })
	b.engine.GET("/panic", func(*gin.Context) { panic("hunter2") })
	for _, path := range []string{"/error", "/panic"} {
		w := b.get(t, path)
		if f := failure(t, w); w.Code != http.StatusInternalServerError || f.Code != "internal" || strings.Contains(w.Body.String(), "hunter2") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		if !strings.Contains(b.log.String(), failure(t, w).RequestID) || strings.Count(b.log.String(), "hunter2") != 1 {
			t.Errorf("%s is not logged once with its request id:\n%s", path, b.log)
		}
		b.log.Reset()
	}
}

func TestAPanicIsOurFaultAndLoggedWithItsPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/before", func(*gin.Context) { panic("the desk is on fire") })
	b.engine.GET("/after", func(c *gin.Context) {
		c.String(http.StatusOK, "half an answer")
		panic("the desk is on fire")
	})
	for _, path := range []string{"/before", "/after"} {
		b.log.Reset()
		w := b.get(t, path)
		if f := failure(t, w); w.Code != http.StatusInternalServerError || f.Code != "internal" || strings.Contains(w.Body.String(), "fire") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		if said := b.log.String(); !strings.Contains(said, "the desk is on fire") || !strings.Contains(said, "engine_test.go") {
			t.Errorf("%s: the log does not say what happened where: %s", path, said)
		}
	}
}

func TestWhoLeftIsNobodysFault(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, leave := context.WithCancel(t.Context())
	b.engine.GET("/slow", func(c *gin.Context) {
		leave()
		httpserve.Render(c, problem.Internal("internal", "Sorry.").Because(c.Request.Context().Err()))
	})
	w := b.serve(t, httptest.NewRequestWithContext(ctx, http.MethodGet, "/slow", http.NoBody))
	if w.Code != httpserve.StatusClientClosedRequest || b.log.Len() > 0 {
		t.Errorf("got %d, and the log says %q", w.Code, b.log)
	}
}

// unread is a body that nobody may read.
type unread struct{ t *testing.T }

func (b unread) Read([]byte) (int, error) {
	b.t.Error("the body is read")
	return 0, io.EOF
}

func TestWhatIsSentToNowhereIsNotRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/here", func(c *gin.Context) { c.Status(http.StatusOK) })
	for path, want := range map[string]int{"/nowhere": http.StatusNotFound, "/here": http.StatusMethodNotAllowed} {
		if w := b.serve(t, httptest.NewRequest(http.MethodPost, path, unread{t})); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

func TestTheEngineAnswersWhatNoRouteDoes(t *testing.T) {
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
		{"a body that says it is too large", httptest.NewRequest(http.MethodPost, "/things", strings.NewReader(strings.Repeat("a", 1<<20+1))), 413, "body_too_large"},
		{"a body that turns out too large", httptest.NewRequest(http.MethodPost, "/things", io.LimitReader(endless{}, 1<<20+1)), 413, "body_too_large"},
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

func TestAForgedRequestIDIsReplaced(t *testing.T) {
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

func TestTheTokenIsLookedAtOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/public", func(c *gin.Context) { c.String(http.StatusOK, "all may read") })
	b.engine.GET("/mine", func(c *gin.Context) {
		claims, err := httpserve.Caller(c)
		if err != nil {
			httpserve.Render(c, err)
			return
		}
		c.String(http.StatusOK, claims.Name)
	})
	raw, err := b.signer.Sign(token.Claims{PlayerID: uuid.NewString(), Name: "cloudstep"})
	if err != nil {
		t.Fatal(err)
	}
	if w := b.get(t, "/public", "Authorization", "Bearer nonsense"); w.Code != http.StatusOK {
		t.Errorf("a bad token broke browsing: %d", w.Code)
	}
	if w := b.get(t, "/mine", "Authorization", "Bearer "+raw); w.Body.String() != "cloudstep" {
		t.Errorf("the caller is %q", w.Body)
	}
	for header, code := range map[string]string{"": "token_missing", "Basic abc": "token_missing", "Bearer nonsense": "token_invalid"} {
		w := b.get(t, "/mine", "Authorization", header)
		if f := failure(t, w); w.Code != http.StatusUnauthorized || f.Code != code || w.Header().Get("WWW-Authenticate") == "" {
			t.Errorf("Authorization %q: %d %s, want 401 %s", header, w.Code, f.Code, code)
		}
	}
}

func TestAnswersCarryAnETag(t *testing.T) {
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
		if w := b.get(t, "/page", "If-None-Match", header); w.Code != http.StatusNotModified || w.Body.Len() != 0 || w.Header().Get("ETag") != tag {
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

func TestALongAnswerTellsItsLength(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/long", func(c *gin.Context) { c.String(http.StatusOK, strings.Repeat("x", 50_000)) })
	b.engine.GET("/short", func(c *gin.Context) { c.String(http.StatusOK, "short") })
	server := httptest.NewServer(b.engine)
	defer server.Close()
	for range 2 { // the second is held where the first was
		for path, length := range map[string]int64{"/long": 50_000, "/short": 5} {
			resp, err := server.Client().Get(server.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil || resp.ContentLength != length || int64(len(body)) != length || len(resp.TransferEncoding) > 0 {
				t.Errorf("%s: %d bytes, said to be %d, encoded %v, %v", path, len(body), resp.ContentLength, resp.TransferEncoding, err)
			}
		}
	}
}

func TestRetryAfterIsWholeSecondsUpwards(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/busy", func(c *gin.Context) {
		httpserve.Render(c, problem.TooOften("rate_limited", "Slower, please.").After(1200*time.Millisecond))
	})
	if got := b.get(t, "/busy").Header().Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After is %q, want 2", got)
	}
}

func TestPagesAreBounded(t *testing.T) {
	t.Parallel()
	n := func(i int) *int { return &i }
	for _, tt := range []struct {
		name                string
		page, limit         *int
		wantPage, wantLimit int
		ok                  bool
	}{
		{"nothing asked", nil, nil, 1, 12, true},
		{"the bounds", n(1_000_000), n(100), 1_000_000, 100, true},
		{"page 0", n(0), nil, 0, 0, false},
		{"page -1", n(-1), nil, 0, 0, false},
		{"a page beyond arithmetic", n(1 << 62), nil, 0, 0, false},
		{"limit 0", nil, n(0), 0, 0, false},
		{"limit 101", nil, n(101), 0, 0, false},
	} {
		page, limit, err := httpserve.PageQuery(tt.page, tt.limit, 12)
		if (err == nil) != tt.ok || tt.ok && (page != tt.wantPage || limit != tt.wantLimit) {
			t.Errorf("%s: %d, %d, %v", tt.name, page, limit, err)
		}
	}
	if _, _, err := httpserve.OffsetQuery(n(-1), nil, 10); !errors.Is(err, httpserve.ErrPageInvalid) {
		t.Errorf("offset -1: %v", err)
	}
	if from, limit, err := httpserve.OffsetQuery(nil, nil, 10); from != 0 || limit != 10 || err != nil {
		t.Errorf("no offset: %d, %d, %v", from, limit, err)
	}
}

func TestFormsAreReadWithinTheirLimits(t *testing.T) {
	t.Parallel()
	write := func(parts ...string) *multipart.Reader {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for i := 0; i < len(parts); i += 2 {
			part, err := w.CreateFormFile(parts[i], parts[i]+".lbReplay")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = part.Write([]byte(parts[i+1]))
		}
		_ = w.Close()
		return multipart.NewReader(&body, w.Boundary())
	}
	want := []httpserve.FormPart{{Name: "replayFile", Max: 1 << 20}, {Name: "map", Max: 10}}

	form, err := httpserve.ReadForm(write("other", "x", "replayFile", "first", "replayFile", "second", "map", " m1 "), want...)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(form.Bytes("replayFile")); got != "first" || form.Text("map") != "m1" || form.Has("other") {
		t.Errorf("the form holds %q and %q", got, form.Text("map"))
	}

	_, err = httpserve.ReadForm(write("replayFile", strings.Repeat("a", 1<<20+1)), want...)
	if p := problem.From(err); p.Code != "file_too_large" || p.Message != "File too large. Maximum size is 1 MB" {
		t.Errorf("a large file: %v", err)
	}
	cut := "--x\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\nm"
	if _, err = httpserve.ReadForm(multipart.NewReader(strings.NewReader(cut), "x"), want...); !errors.Is(err, httpserve.ErrMalformed) {
		t.Errorf("a form that ends too early: %v", err)
	}
	many := make([]string, 0, 60)
	for range 30 {
		many = append(many, "other", "x")
	}
	if _, err = httpserve.ReadForm(write(many...), want...); !errors.Is(err, httpserve.ErrMalformed) {
		t.Errorf("30 parts: %v", err)
	}
}

func TestReadinessNamesWhatIsAway(t *testing.T) {
	t.Parallel()
	away := true
	ops := httpserve.Ops(map[string]func(context.Context) error{
		"database": func(context.Context) error { return nil },
		"nats": func(context.Context) error {
			if away {
				return errors.New("not connected")
			}
			return nil
		},
	}, noMetrics{})
	w := readiness(ops)
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"nats":"not connected"`) {
		t.Errorf("away: %d %s", w.Code, w.Body)
	}
	away = false
	if w = readiness(ops); w.Code != http.StatusOK {
		t.Errorf("ready: %d %s", w.Code, w.Body)
	}
}

func TestWhatGoesAwayAfterTheStartIsToldAndBorne(t *testing.T) {
	t.Parallel()
	var err error
	ops := httpserve.Ops(map[string]func(context.Context) error{
		"storage": httpserve.StartupCheck(func(context.Context) error { return err }),
	}, noMetrics{})
	for _, step := range []struct {
		err    error
		status int
		told   string
	}{
		{errors.New("not there yet"), http.StatusServiceUnavailable, "not there yet"},
		{nil, http.StatusOK, "ok"},
		{errors.New("gone"), http.StatusOK, "gone"},
		{nil, http.StatusOK, "ok"},
	} {
		err = step.err
		if w := readiness(ops); w.Code != step.status || !strings.Contains(w.Body.String(), `"storage":"`+step.told+`"`) {
			t.Errorf("while %v: %d %s", err, w.Code, w.Body)
		}
	}
}

func readiness(ops http.Handler) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	ops.ServeHTTP(w, httptest.NewRequest(http.MethodGet, httpserve.ReadyPath, nil))
	return w
}
