package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/services/auth/internal/app"
)

func TestAPI_request_room_link_in_line(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.newBot()
	o.full = true
	o.start()
	w := b.browser()
	asked, room := w.begin(o)
	if asked.RoomLink != "" || asked.Place == nil || *asked.Place != 2 {
		t.Errorf("asked: %s", asked.Raw)
	}
	room.move(1)
	eventually.WaitFor(t, "the new position", func() bool {
		a := w.status(asked.SessionID)
		return a.Status.Status == "pending" && a.RoomLink == "" && a.Place != nil && *a.Place == 1
	})
	room.ready()
	eventually.WaitFor(t, "the link", func() bool {
		a := w.status(asked.SessionID)
		return a.RoomLink == "https://game.test/bot1-room1" && a.Place == nil && a.ExpiresIn > 170
	})
	if again := w.requestRoom(); again.RoomLink == "" || again.SessionID != asked.SessionID {
		t.Errorf("asked again: %s", again.Raw)
	}
	room.join("cloudstep")
	expect(t, w.verify(asked.SessionID, room.code(t)), http.StatusOK, "")
}

// A school has one address: with the limits of a deployment, thirty players log in within ten minutes.
func TestAPI_thirty_logins_of_one_address(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config) { cfg.RoomsPerHour, cfg.RoomsPerAddress = 100, 2 })
	o := b.startBot()
	began := b.clock()
	waiting := map[*browser]answer{}
	for n := range 30 {
		w := b.browser()
		asked := w.requestRoom()
		expect(t, asked, http.StatusOK, "")
		if hasRoom := asked.RoomLink != ""; hasRoom != (n < 2) || !hasRoom && *asked.Place != n {
			t.Errorf("login %d: %s", n, asked.Raw)
		}
		waiting[w] = asked
	}
	for len(waiting) > 0 {
		b.pass(3 * time.Second)
		for w, asked := range waiting {
			a := w.status(asked.SessionID)
			switch {
			case a.RoomLink == "" && !strings.HasSuffix(a.Status.Message, " before you from your network."),
				a.Status.Status != "pending":
				t.Fatalf("it waits with %s", a.Raw)
			case a.RoomLink == "":
				continue
			}
			room := o.room(a.RoomLink)
			room.join("player " + asked.SessionID)
			expect(t, w.verify(asked.SessionID, room.code(t)), http.StatusOK, "")
			delete(waiting, w)
		}
		if b.clock().Sub(began) > 10*time.Minute {
			t.Fatalf("%d wait after ten minutes", len(waiting))
		}
	}
}

func TestAPI_request_room_link_rate_limit(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config) { cfg.RoomsPerHour = 2 })
	o := b.startBot()
	ask := func(address string) answer {
		return b.browser().do(http.MethodGet, "/api/v1/auth/request-room-link", "", "X-Client-Address", address)
	}
	for _, address := range []string{"192.0.2.1", "192.0.2.1", "2001:db8::", "2001:db8::"} {
		expect(t, ask(address), http.StatusOK, "") // without a visitor, which does not count
		asked := ask(address)
		expect(t, asked, http.StatusOK, "")
		room := o.room(asked.RoomLink)
		room.join("cloudstep")
		room.code(t)
	}
	refused := ask("192.0.2.1")
	expect(t, refused, http.StatusTooManyRequests, "too_many_rooms")
	if refused.Header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	expect(t, ask("2001:db8::"), http.StatusTooManyRequests, "too_many_rooms")
	expect(t, ask("192.0.2.2"), http.StatusOK, "")
	expect(t, ask("2001:db8:0:1::"), http.StatusOK, "")
}
