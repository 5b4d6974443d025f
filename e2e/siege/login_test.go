package siege_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

func TestRefresh_with_lost_answers(t *testing.T) {
	const sessions, losses = 5, 4
	for range sessions {
		player := newPlayer(t)
		for range losses {
			// The answer is lost: the browser keeps the old cookie.
			lost := copyOf(t, player)
			if err := lost.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := player.Refresh(t.Context()); err != nil {
			t.Errorf("%d lost answers log the player out: %v", losses, err)
		}
	}
}

// copyOf returns a visitor with the same cookies.
func copyOf(t *testing.T, v *site.Visitor) *site.Visitor {
	t.Helper()
	other := newVisitor()
	address, err := url.Parse(system.Site.Address() + "/api/v1/auth/")
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(address, v.Cookies())
	other.SetJar(jar)
	return other
}

func TestNames_that_no_account_can_have(t *testing.T) {
	for _, name := range []string{"\u0301\u0301\u0301", "\u200b\u200b", "run\u202ener", "=1+1",
		"'; drop table players; --"} {
		visitor := newVisitor()
		link, err := visitor.RequestRoomLink(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		room := system.Site.Room(link.RoomLink)
		if _, err := room.Join(t.Context(), site.Account{Name: name, Level: 7}); err != nil {
			continue // the room refuses the name
		}
		if _, err := room.AwaitMessage(t.Context(), regexp.MustCompile("(?i)guest|account")); err != nil {
			t.Errorf("%q gets no message that an account is needed: %v", name, err)
		}
		if err := room.Leave(t.Context(), 0); err != nil {
			t.Error(err)
		}
	}
}

func TestSearch_for_nothing_searchable(t *testing.T) {
	visitor := newVisitor()
	for _, name := range []string{"\u0301", "\u200b\u200d", "\u202e"} {
		maps, err := visitor.SearchMaps(t.Context(), api.SearchMapsParams{Name: name})
		if err != nil || len(maps.Data) > 0 {
			t.Errorf("maps named %q: %d, %v", name, len(maps.Data), err)
		}
		players, err := visitor.SearchPlayers(t.Context(), api.SearchPlayersParams{Name: name})
		if err != nil || len(players.Data) > 0 {
			t.Errorf("players named %q: %d, %v", name, len(players.Data), err)
		}
	}
}

func TestCookies_that_a_sibling_host_could_set(t *testing.T) {
	address, stop, err := system.Beside(t.Context(), []string{"auth"},
		map[string]string{"PUBLIC_URL": "https://capzone.example"})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	answer, err := site.New(address).From(newAddress()).Visitor().Send(t.Context(),
		site.Request{Path: "/auth/request-room-link"})
	if err != nil || answer.Status != http.StatusOK {
		t.Fatalf("%d %v %s", answer.Status, err, answer.Body)
	}
	for _, cookie := range answer.Header.Values("Set-Cookie") {
		if strings.Contains(cookie, "Max-Age=0") {
			continue // an old cookie that is removed
		}
		if !strings.HasPrefix(cookie, "__Host-") || !strings.Contains(cookie, "Path=/;") ||
			!strings.Contains(cookie, "Secure") ||
			strings.Contains(cookie, "Domain=") {
			t.Errorf("the cookie is %q", cookie)
		}
	}
}
