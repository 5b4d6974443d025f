package app_test

import (
	"net/http"
	"testing"

	"capzone.dev/services/auth/internal/app"
)

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
