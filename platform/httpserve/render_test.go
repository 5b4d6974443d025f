package httpserve_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

func TestRender(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/conflict", func(c *gin.Context) {
		err := problem.Conflict("map_exists", "This map was submitted before.").WithData("_id", "m1").
			WithField("replayFile", "known", "known").Wrap(errors.New("constraint maps_bonk_db_id_key"))
		httpserve.Render(c, fmt.Errorf("submit: %w", err))
	})
	w := b.get(t, "/conflict", httpserve.RequestIDHeader, "request-0001")
	want := httpserve.Failure{
		Code: "map_exists", Message: "This map was submitted before.", Data: map[string]any{"_id": "m1"},
		Errors: []problem.Field{{Field: "replayFile", Code: "known", Message: "known"}}, RequestID: "request-0001",
	}
	if diff := cmp.Diff(want, failure(t, w)); diff != "" || w.Code != http.StatusConflict {
		t.Errorf("status %d, envelope (-want +got):\n%s", w.Code, diff)
	}
	if strings.Contains(w.Body.String(), "constraint") {
		t.Error("the cause was sent")
	}
}

func TestRender_internal_errors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/error", func(c *gin.Context) { httpserve.Render(c, errors.New("database password is hunter2")) })
	b.engine.GET("/panic", func(*gin.Context) { panic("hunter2") })
	b.engine.GET("/later-panic", func(c *gin.Context) {
		c.String(http.StatusOK, "half an answer")
		panic("hunter2")
	})
	for _, path := range []string{"/error", "/panic", "/later-panic"} {
		w := b.get(t, path)
		if f := failure(t, w); w.Code != http.StatusInternalServerError || f.Code != "internal" ||
			strings.Contains(w.Body.String(), "hunter2") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		if !strings.Contains(b.log.String(), failure(t, w).RequestID) || strings.Count(b.log.String(), "hunter2") != 1 {
			t.Errorf("%s is not logged once with its request id:\n%s", path, b.log)
		}
		if path != "/error" && !strings.Contains(b.log.String(), "render_test.go") {
			t.Errorf("%s: the log lacks the stack:\n%s", path, b.log)
		}
		b.log.Reset()
	}
}

func TestRender_client_that_left(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, leave := context.WithCancel(t.Context())
	b.engine.GET("/slow", func(c *gin.Context) {
		leave()
		httpserve.Render(c, problem.Internal("internal", "Sorry.").Wrap(c.Request.Context().Err()))
	})
	w := b.serve(t, httptest.NewRequestWithContext(ctx, http.MethodGet, "/slow", http.NoBody))
	if w.Code != httpserve.StatusClientClosedRequest || b.log.Len() > 0 {
		t.Errorf("status %d, log %q", w.Code, b.log)
	}
}

func TestWriteProblem_Retry_After(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.GET("/busy", func(c *gin.Context) {
		httpserve.Render(
			c,
			problem.RateLimited("rate_limited", "Slower, please.").WithRetryAfter(1200*time.Millisecond),
		)
	})
	if got := b.get(t, "/busy").Header().Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After is %q, want 2", got)
	}
}
