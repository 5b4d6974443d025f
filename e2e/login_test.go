package e2e_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	playLogin(t, simulated())
}

// playLogin goes the way from the link of a room to the profile of its visitor.
func playLogin(t *testing.T, at venue) {
	t.Helper()
	who := account()
	v := at.site.Visitor()
	link := requested(t, v)
	if link.ExpiresIn <= 0 || link.ExpiresIn > 180 {
		t.Errorf("the session lives for %d s", link.ExpiresIn)
	}
	awaitStatus(t, v, link, "pending")

	code := at.enter(t, link.RoomLink, who)
	awaitStatus(t, v, link, "code_provided")

	player, err := v.VerifyCode(t.Context(), link.SessionID, code)
	if err != nil {
		t.Fatal(err)
	}
	if player.Name != who.Name || player.Level != who.Level || player.SkinColor == nil || *player.SkinColor != "#8e24aa" {
		t.Errorf("logged in as %+v", player)
	}
	awaitStatus(t, v, link, "success")

	t.Run("the profile can be read at once", func(t *testing.T) {
		profile, err := at.site.Visitor().PlayerByID(t.Context(), player.ID)
		if err != nil || profile.Name != who.Name || !profile.Registered || profile.Level != who.Level ||
			profile.SkinColor == nil || *profile.SkinColor != "#8e24aa" {
			t.Errorf("%+v %v", profile, err)
		}
	})
	t.Run("the code is good for one login", func(t *testing.T) {
		_, err := v.VerifyCode(t.Context(), link.SessionID, code)
		refused(t, err, http.StatusUnprocessableEntity, "session_over")
	})
	again := func(t *testing.T, who site.Account) api.LoggedInPlayer {
		t.Helper()
		v := at.site.Visitor()
		link := requested(t, v)
		player, err := v.VerifyCode(t.Context(), link.SessionID, at.enter(t, link.RoomLink, who))
		if err != nil {
			t.Fatal(err)
		}
		return player
	}
	t.Run("the same account keeps its id", func(t *testing.T) {
		if got := again(t, who); got.ID != player.ID {
			t.Errorf("%s became %s", player.ID, got.ID)
		}
	})
	t.Run("so does the account in other letters, and its new level is taken", func(t *testing.T) {
		shouted := who
		shouted.Name, shouted.Level = strings.ToUpper(who.Name), who.Level+1
		if got := again(t, shouted); got.ID != player.ID || got.Level != who.Level+1 {
			t.Errorf("%s became %+v", player.ID, got)
		}
	})
}

func TestLogin_reload(t *testing.T) {
	t.Parallel()
	v := capzone.Visitor()
	first, err := v.RequestRoomLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again, err := v.RequestRoomLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if first.SessionID != again.SessionID || first.RoomLink != again.RoomLink {
		t.Errorf("first %+v, then %+v", first, again)
	}
	other, err := capzone.Visitor().RequestRoomLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if other.SessionID == first.SessionID || other.RoomLink == first.RoomLink {
		t.Error("another browser got the same room")
	}
}

func TestLogin_of_another_browser(t *testing.T) {
	t.Parallel()
	_, link, code := withCode(t)
	stranger := capzone.Visitor()
	_, err := stranger.LoginStatus(t.Context(), link.SessionID)
	refused(t, err, http.StatusForbidden, "not_this_browser")
	_, err = stranger.VerifyCode(t.Context(), link.SessionID, code)
	refused(t, err, http.StatusForbidden, "not_this_browser")

	// Nor does one that has a login of its own.
	if _, err := stranger.RequestRoomLink(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = stranger.VerifyCode(t.Context(), link.SessionID, code)
	refused(t, err, http.StatusForbidden, "not_this_browser")
}

func TestLogin_five_wrong_codes(t *testing.T) {
	t.Parallel()
	v, link, code := withCode(t)
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	for left := 4; left >= 0; left-- {
		_, err := v.VerifyCode(t.Context(), link.SessionID, wrong)
		p := refused(t, err, http.StatusUnprocessableEntity, "code_wrong")
		if got, ok := p.Data["triesLeft"].(float64); !ok || int(got) != left {
			t.Errorf("%v tries are left, want %d", p.Data["triesLeft"], left)
		}
	}
	_, err := v.VerifyCode(t.Context(), link.SessionID, code)
	refused(t, err, http.StatusUnprocessableEntity, "session_over")
	awaitStatus(t, v, link, "failed")
}

func TestLogin_malformed_codes(t *testing.T) {
	t.Parallel()
	v, link, code := withCode(t)
	for _, c := range []string{"", "12345", "1234567", "12 456", "abcdef", "１２３４５６"} {
		_, err := v.VerifyCode(t.Context(), link.SessionID, c)
		refused(t, err, http.StatusBadRequest, "code_malformed")
	}
	for name, body := range map[string]string{"no JSON": "code=123456", "an empty body": "", "a list": "[]",
		"a number for a code": `{"sessionId":"` + link.SessionID + `","code":123456}`} {
		t.Run(name, func(t *testing.T) {
			answer := send(t, v, site.Request{
				Method: http.MethodPost, Path: "/auth/verify-code", Body: strings.NewReader(body),
				Header: http.Header{"Content-Type": {"application/json"}},
			})
			if answer.Status != http.StatusBadRequest {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		})
	}
	if _, err := v.VerifyCode(t.Context(), link.SessionID, code); err != nil {
		t.Errorf("they were counted as tries: %v", err)
	}
}

func TestLogin_code_before_a_player_joins(t *testing.T) {
	t.Parallel()
	v := capzone.Visitor()
	link, err := v.RequestRoomLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = v.VerifyCode(t.Context(), link.SessionID, "123456")
	refused(t, err, http.StatusUnprocessableEntity, "code_not_given")
}

func TestLogin_guest(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	v := capzone.Visitor()
	link, err := v.RequestRoomLink(ctx)
	if err != nil {
		t.Fatal(err)
	}
	guest := account()
	guest.Guest = true
	room := capzone.Room(link.RoomLink)
	visit, err := room.Join(ctx, guest)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := room.AwaitMessage(ctx, regexp.MustCompile("(?i)guest")); err != nil {
		t.Fatal(err)
	}
	awaitStatus(t, v, link, "pending")

	// Back with an account, the login goes on.
	if err := room.Leave(ctx, visit); err != nil {
		t.Fatal(err)
	}
	if _, err := room.Join(ctx, account()); err != nil {
		t.Fatal(err)
	}
	code, err := room.AwaitCode(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.VerifyCode(ctx, link.SessionID, code); err != nil {
		t.Error(err)
	}
}

func TestLogin_void(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		happen func(ctx context.Context, room site.Room) error
	}{
		{"a second visitor", func(ctx context.Context, room site.Room) error {
			_, err := room.Join(ctx, account())
			return err
		}},
		{"a second visitor who is a guest", func(ctx context.Context, room site.Room) error {
			guest := account()
			guest.Guest = true
			_, err := room.Join(ctx, guest)
			return err
		}},
		{"a second visitor who is gone again", func(ctx context.Context, room site.Room) error {
			visit, err := room.Join(ctx, account())
			if err == nil {
				_ = room.Leave(ctx, visit) // the room may be closed already
			}
			return err
		}},
		{"another name", func(ctx context.Context, room site.Room) error {
			return room.Rename(ctx, 0, account().Name)
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v, link, code := withCode(t)
			if err := c.happen(t.Context(), capzone.Room(link.RoomLink)); err != nil {
				t.Fatal(err)
			}
			// At once, however late the report: the room's bot is asked.
			if _, err := v.VerifyCode(t.Context(), link.SessionID, code); err == nil {
				t.Error("the code was taken")
			} else {
				refused(t, err, http.StatusUnprocessableEntity, "session_over")
			}
			awaitStatus(t, v, link, "invalid")
		})
	}
}

func TestLogin_unknown(t *testing.T) {
	t.Parallel()
	v := capzone.Visitor()
	if _, err := v.RequestRoomLink(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55", "nonsense", "*", strings.Repeat("x", 2000)} {
		_, err := v.LoginStatus(t.Context(), id)
		refused(t, err, http.StatusNotFound, "session_unknown")
	}
	if answer := send(t, v, site.Request{Path: "/auth/status"}); answer.Status != http.StatusBadRequest &&
		answer.Status != http.StatusNotFound {
		t.Errorf("without an id: %d %s", answer.Status, answer.Body)
	}
}

func TestLogin_from_other_sites(t *testing.T) {
	t.Parallel()
	calls := []site.Request{
		{Path: "/auth/request-room-link"},
		{Path: "/auth/refresh-token"},
		{Path: "/auth/status", Query: url.Values{"sessionId": {"01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55"}}},
		{Method: http.MethodPost, Path: "/auth/verify-code"},
		{Method: http.MethodPost, Path: "/auth/logout"},
	}
	foreign := map[string]http.Header{
		"another site":       {"Sec-Fetch-Site": {"cross-site"}},
		"a sibling":          {"Sec-Fetch-Site": {"same-site"}},
		"a foreign origin":   {"Origin": {"https://evil.test"}},
		"an opaque origin":   {"Origin": {"null"}},
		"the site elsewhere": {"Origin": {"http://localhost:1"}},
	}
	for _, call := range calls {
		for name, header := range foreign {
			t.Run(call.Path+" from "+name, func(t *testing.T) {
				call.Header = header
				answer := send(t, capzone.Visitor(), call)
				refusal(t, answer, http.StatusForbidden, "foreign_site")
				if len(answer.Header.Values("Set-Cookie")) > 0 {
					t.Error("a cookie is set")
				}
			})
		}
	}
	for name, header := range map[string]http.Header{
		"the site's own page": {"Sec-Fetch-Site": {"same-origin"}, "Origin": {capzone.Address()}},
		"the address bar":     {"Sec-Fetch-Site": {"none"}},
	} {
		t.Run("welcome is "+name, func(t *testing.T) {
			answer := send(t, capzone.Visitor(), site.Request{Path: "/auth/request-room-link", Header: header})
			if answer.Status != http.StatusOK {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		})
	}
}

func TestCookies(t *testing.T) {
	t.Parallel()
	v, link, code := withCode(t)
	answer := send(t, v, site.Request{
		Method: http.MethodPost, Path: "/auth/verify-code", Header: http.Header{"Content-Type": {"application/json"}},
		Body: strings.NewReader(`{"sessionId":"` + link.SessionID + `","code":"` + code + `"}`),
	})
	first := send(t, capzone.Visitor(), site.Request{Path: "/auth/request-room-link"})
	seen := 0
	for _, a := range []site.Answer{answer, first} {
		if a.Status != http.StatusOK {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		if got := a.Header.Get("Cache-Control"); !strings.Contains(got, "no-store") {
			t.Errorf("Cache-Control: %q", got)
		}
		if got := a.Header.Get("ETag"); got != "" {
			t.Errorf("ETag: %q", got)
		}
		for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
			if cookie.MaxAge < 0 {
				continue // one that is taken away
			}
			seen++
			if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.Domain != "" {
				t.Errorf("cookie %s: %+v", cookie.Name, cookie)
			}
			address, _ := url.Parse(capzone.Address())
			if !strings.Contains(cookie.Name, address.Port()) {
				t.Errorf("cookie %s would be taken for another stack's on this host", cookie.Name)
			}
		}
	}
	if seen < 2 {
		t.Errorf("%d cookies are set, want one before the login and one after", seen)
	}
}

// withCode returns a browser whose room has a player who has received a code.
func withCode(t *testing.T) (v *site.Visitor, link api.RoomLink, code string) {
	t.Helper()
	v = capzone.Visitor()
	link, err := v.RequestRoomLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	room := capzone.Room(link.RoomLink)
	if _, err := room.Join(t.Context(), account()); err != nil {
		t.Fatal(err)
	}
	if code, err = room.AwaitCode(t.Context()); err != nil {
		t.Fatal(err)
	}
	return v, link, code
}

func awaitStatus(t *testing.T, v *site.Visitor, link api.RoomLink, wanted api.LoginState) {
	t.Helper()
	status, err := v.AwaitStatus(t.Context(), link.SessionID, wanted)
	if err != nil {
		t.Error(err)
	}
	if status.Message == "" {
		t.Errorf("the status %s has no message", status.Status)
	}
}
