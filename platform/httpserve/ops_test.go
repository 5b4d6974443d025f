package httpserve_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"capzone.dev/platform/httpserve"
)

func TestOps_readiness(t *testing.T) {
	t.Parallel()
	down := true
	ops := httpserve.Ops(map[string]func(context.Context) error{
		"database": func(context.Context) error { return nil },
		"nats": func(context.Context) error {
			if down {
				return errors.New("not connected")
			}
			return nil
		},
	}, noMetrics{})
	w := readiness(ops)
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"nats":"not connected"`) {
		t.Errorf("down: %d %s", w.Code, w.Body)
	}
	down = false
	if w = readiness(ops); w.Code != http.StatusOK {
		t.Errorf("ready: %d %s", w.Code, w.Body)
	}
}

func TestStartupCheck(t *testing.T) {
	t.Parallel()
	var err error
	ops := httpserve.Ops(map[string]func(context.Context) error{
		"storage": httpserve.StartupCheck(func(context.Context) error { return err }),
	}, noMetrics{})
	for _, step := range []struct {
		err    error
		status int
		result string
	}{
		{errors.New("not there yet"), http.StatusServiceUnavailable, "not there yet"},
		{nil, http.StatusOK, "ok"},
		{errors.New("unavailable"), http.StatusOK, "unavailable"},
		{nil, http.StatusOK, "ok"},
	} {
		err = step.err
		if w := readiness(ops); w.Code != step.status ||
			!strings.Contains(w.Body.String(), `"storage":"`+step.result+`"`) {
			t.Errorf("while %v: %d %s", err, w.Code, w.Body)
		}
	}
}

func readiness(ops http.Handler) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	ops.ServeHTTP(w, httptest.NewRequest(http.MethodGet, httpserve.ReadyPath, nil))
	return w
}
