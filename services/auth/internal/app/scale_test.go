package app_test

import (
	"net/http"
	"sync"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/services/auth/internal/app"
)

func TestAPI_verify_code_twice_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second, _ := b.startReplica()
	o := b.startBot("bot1")
	w := b.browser()
	asked, _, code := w.enter(o, "cloudstep")
	answers := make([]answer, 5)
	var all sync.WaitGroup
	for i := range answers {
		tab := w.copyOf()
		if i%2 == 1 {
			tab = &browser{b: b, url: second, jar: tab.jar} // cookies ignore ports
		}
		all.Go(func() { answers[i] = tab.verify(asked.SessionID, code) })
	}
	all.Wait()
	won := 0
	for _, a := range answers {
		switch {
		case a.HTTPStatus == http.StatusOK:
			won++
		case a.Code != "session_over":
			t.Errorf("answered %d %s", a.HTTPStatus, a.Raw)
		}
	}
	if won != 1 {
		t.Errorf("%d logins, want one", won)
	}
	var families int
	require.NoError(t, b.Pool.QueryRow(t.Context(),
		`select count(*) from families where revoked_at is null`).Scan(&families))
	if families != 1 {
		t.Errorf("%d sessions go on", families)
	}
}

func TestService_two_replicas_deliver_one_code(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second, _ := b.startReplica()
	o := b.startBot("bot1")
	for n := range 10 {
		w := b.browser()
		asked, room := w.begin(o)
		room.join("cloudstep", false)
		for round := range 3 {
			room.replay(round)
		}
		code := room.code(t)
		tab := &browser{b: b, url: second, jar: w.jar}
		tab.awaitStatus(asked.SessionID, "code_provided")
		expect(t, tab.verify(asked.SessionID, code), http.StatusOK, "")
		room.replay(9)
		if codes := room.codes(); len(codes) != 1 || codes[0] != code {
			t.Fatalf("room %d: codes in the chat: %v", n, codes)
		}
	}
}

// Every word goes to the bot that holds the room.
func TestService_two_bots(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bots := []*bot{b.startBot("bot1"), b.startBot("bot2")}
	served := map[*bot]bool{}
	for range 200 {
		w := b.browser()
		asked := w.requestRoom()
		expect(t, asked, http.StatusOK, "")
		var room *room
		select {
		case room = <-bots[0].opened:
		case room = <-bots[1].opened:
		}
		room.join("cloudstep", false)
		expect(t, w.verify(asked.SessionID, room.code(t)), http.StatusOK, "")
		if served[room.bot] = true; len(served) == len(bots) {
			return
		}
	}
	t.Error("one bot had all the rooms")
}

func TestAPI_request_room_link_rate_limit(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config) { cfg.RoomsPerHour = 3 })
	b.startBot("bot1")
	ask := func(address string) answer {
		return b.browser().do(http.MethodGet, "/api/v1/auth/request-room-link", "", "X-Client-Address", address)
	}
	for range 3 {
		expect(t, ask("192.0.2.1"), http.StatusOK, "")
	}
	refused := ask("192.0.2.1")
	expect(t, refused, http.StatusTooManyRequests, "too_many_rooms")
	if refused.Header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	expect(t, ask("192.0.2.2"), http.StatusOK, "")
	for _, address := range []string{"2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"} {
		expect(t, ask(address), http.StatusOK, "")
	}
	expect(t, ask("2001:db8::4"), http.StatusTooManyRequests, "too_many_rooms")
	expect(t, ask("2001:db8:0:1::1"), http.StatusOK, "")
}
