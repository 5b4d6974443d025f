package app_test

import (
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/redistest"
)

func TestAPI_request_room_link_without_a_bot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.browser().requestRoom()
	expect(t, a, http.StatusServiceUnavailable, "no_room")
	if a.Header.Get("Retry-After") == "" || a.Header.Get("Set-Cookie") != "" {
		t.Errorf("the answer has the header %v", a.Header)
	}
}

func TestAPI_Redis_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot()
	w, loggedIn := b.browser(), b.browser()
	loggedIn.login(o, "mossfoot")
	asked, code := w.enter(o, "cloudstep")
	ops := &browser{b: b, url: b.OpsURL, jar: w.jar}
	if a := ops.do(http.MethodGet, "/readyz", ""); a.HTTPStatus != http.StatusOK {
		t.Errorf("readiness before: %d %s", a.HTTPStatus, a.Raw)
	}
	redistest.SetError(t, b.cfg.RedisURL, "ERR away for a test")
	for name, a := range map[string]answer{
		"a new room": b.browser().requestRoom(),
		"a reload":   w.requestRoom(),
		"the status": w.status(asked.SessionID),
		"the code":   w.verify(asked.SessionID, code),
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, a, http.StatusServiceUnavailable, "login_unavailable")
			if strings.Contains(a.Raw, "test") || a.Header.Get("Retry-After") == "" {
				t.Errorf("answered %s, header %v", a.Raw, a.Header)
			}
		})
	}
	expect(t, loggedIn.refresh(), http.StatusOK, "") // needs no Redis
	if a := b.browser().do(http.MethodGet, "/", ""); a.HTTPStatus != http.StatusNotFound {
		t.Errorf("the process answers %d", a.HTTPStatus)
	}
	// Renewing sessions goes on, so it stays in.
	if a := ops.do(http.MethodGet, "/readyz", ""); a.HTTPStatus != http.StatusOK ||
		!strings.Contains(a.Raw, "away for a test") {
		t.Errorf("readiness: %d %s", a.HTTPStatus, a.Raw)
	}
	redistest.SetError(t, b.cfg.RedisURL, "")
	expect(t, w.verify(asked.SessionID, code), http.StatusOK, "")
}
