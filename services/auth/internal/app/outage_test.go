package app_test

import (
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
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

func TestAPI_verify_code_bot_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()
	asked, room, code := w.enter(o, "cloudstep")
	expect(t, w.verify(asked.SessionID, room.wrongCode(t)), http.StatusUnprocessableEntity, "code_wrong")
	o.stop()
	for range 6 {
		a := w.verify(asked.SessionID, code)
		expect(t, a, http.StatusServiceUnavailable, "room_silent")
		if a.Header.Get("Retry-After") == "" {
			t.Error("there is no Retry-After")
		}
	}
	if a := w.awaitStatus(asked.SessionID, "code_provided"); a.ExpiresIn == 0 {
		t.Errorf("the session is %s", a.Raw)
	}
	o.serve()
	expect(t, w.verify(asked.SessionID, code), http.StatusOK, "")
}

func TestAPI_verify_code_players_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()
	asked, _, code := w.enter(o, "cloudstep")
	b.players.stop()
	for range 6 {
		expect(t, w.verify(asked.SessionID, code), http.StatusServiceUnavailable, "service_unavailable")
	}
	b.players.serve()
	expect(t, w.verify(asked.SessionID, code), http.StatusOK, "")
}

// The database shuts down while a session is stored.
func TestAPI_verify_code_database_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()
	asked, _, code := w.enter(o, "cloudstep")
	pgtest.Exec(t, b.Pool, `
		create function go_down() returns trigger language plpgsql as
			$$ begin raise exception 'terminating connection' using errcode = 'admin_shutdown'; end $$`)
	pgtest.Exec(t, b.Pool, `create trigger go_down before insert on families execute function go_down()`)
	for range 6 {
		a := w.verify(asked.SessionID, code)
		expect(t, a, http.StatusServiceUnavailable, "database_unavailable")
		if strings.Contains(a.Header.Get("Set-Cookie"), refreshCookie) {
			t.Error("there is a refresh token")
		}
	}
	if a := w.status(asked.SessionID); a.Status.Status != "code_provided" {
		t.Errorf("the session is %s", a.Raw)
	}
	pgtest.Exec(t, b.Pool, `drop trigger go_down on families`)
	expect(t, w.verify(asked.SessionID, code), http.StatusOK, "")
	expect(t, w.refresh(), http.StatusOK, "")
}

func TestService_Redis_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w, loggedIn := b.browser(), b.browser()
	loggedIn.login(o, "mossfoot")
	asked, _, code := w.enter(o, "cloudstep")
	ops := &browser{b: b, url: b.OpsURL, jar: w.jar}
	if a := ops.do(http.MethodGet, "/readyz", ""); a.HTTPStatus != http.StatusOK {
		t.Errorf("readiness before: %d %s", a.HTTPStatus, a.Raw)
	}
	server := redistest.Server(t)
	server.SetError("ERR away for a test")
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
	server.SetError("")
	expect(t, w.verify(asked.SessionID, code), http.StatusOK, "")
}

// What a bot reports while Redis is away is not lost.
func TestConsumers_Redis_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()
	asked, room := w.begin(o)
	server := redistest.Server(t)
	server.SetError("ERR away for a test")
	room.join("cloudstep", false)
	expect(t, w.status(asked.SessionID), http.StatusServiceUnavailable, "login_unavailable")
	server.SetError("")
	expect(t, w.verify(asked.SessionID, room.code(t)), http.StatusOK, "")
}

func TestService_NATS_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w, loggedIn := b.browser(), b.browser()
	loggedIn.login(o, "mossfoot")
	asked, _, code := w.enter(o, "cloudstep")
	w.awaitStatus(asked.SessionID, "code_provided")
	b.NATSServer.Stop()
	expect(t, b.browser().requestRoom(), http.StatusServiceUnavailable, "no_room")
	expect(t, w.verify(asked.SessionID, code), http.StatusServiceUnavailable, "room_silent")
	if a := w.status(asked.SessionID); a.Status.Status != "code_provided" {
		t.Errorf("the session is %s", a.Raw)
	}
	expect(t, loggedIn.refresh(), http.StatusOK, "")
	b.NATSServer.Restart()
	eventually.WaitFor(t, "a login once NATS is back", func() bool {
		a := w.verify(asked.SessionID, code)
		if a.HTTPStatus == http.StatusOK {
			return true
		}
		expect(t, a, http.StatusServiceUnavailable, a.Code)
		return false
	})
}
