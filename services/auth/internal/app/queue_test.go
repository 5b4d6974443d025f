package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/services/auth/internal/app"
)

func TestAPI_request_room_link_in_line(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.newBot("bot1")
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
	room.join("cloudstep", false)
	expect(t, w.verify(asked.SessionID, room.code(t)), http.StatusOK, "")
}

// With the default limits, an address cannot occupy all rooms by requesting them without joining.
func TestAPI_request_room_link_replaces_empty_rooms(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config) { cfg.RoomsPerAddress = 2 })
	o := b.startBot("bot1")
	ask := func(address string) (*browser, answer) {
		w := b.browser()
		return w, w.do(http.MethodGet, "/api/v1/auth/request-room-link", "", "X-Client-Address", address)
	}
	type login struct {
		browser *browser
		asked   answer
		room    *room
	}
	var greedy []login
	for range 6 {
		for address := range 8 {
			w, asked := ask(fmt.Sprintf("192.0.2.%d", address))
			expect(t, asked, http.StatusOK, "")
			greedy = append(greedy, login{w, asked, <-o.opened})
		}
	}
	for i, l := range greedy {
		isNew := i >= 4*8 // the last two of each address
		eventually.WaitFor(t, "the older rooms to be closed", func() bool { return l.room.isOpen() == isNew })
		if state := l.browser.status(l.asked.SessionID).Status.Status; (state == "pending") != isNew {
			t.Errorf("login %d is %s", i, state)
		}
	}
	// The bot gets the number of rooms that the address has already.
	if _, ninth := ask("192.0.2.9"); ninth.HTTPStatus != http.StatusOK {
		t.Errorf("the ninth address: %s", ninth.Raw)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, held := range o.others {
		want := 1
		if i < 8 || i == len(greedy) {
			want = 0
		}
		if held != want {
			t.Errorf("login %d: the bot got %d rooms, want %d", i, held, want)
		}
	}
}

func TestAPI_request_room_link_with_two_rooms_in_use(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config) { cfg.RoomsPerAddress = 2 })
	o := b.startBot("bot1")
	for range 2 {
		w := b.browser()
		asked, room := w.begin(o)
		room.join("cloudstep", false)
		w.awaitStatus(asked.SessionID, "code_provided")
	}
	refused := b.browser().requestRoom()
	expect(t, refused, http.StatusTooManyRequests, "too_many_open_rooms")
	if refused.Header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
}
