package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/login"
)

func TestAPI_login(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()

	asked := w.requestRoom()
	expect(t, asked, http.StatusOK, "")
	room := <-o.opened
	if asked.RoomLink != "https://game.test/bot1-room1" || asked.ExpiresIn < 170 || asked.ExpiresIn > 180 ||
		asked.SessionID != room.session {
		t.Errorf("answered %s", asked.Raw)
	}
	cookie := asked.Header.Values("Set-Cookie")[1] // the first clears that of earlier releases
	for _, part := range []string{"capzone_login_8080=", "HttpOnly", "SameSite=Strict", "Path=/;", "Max-Age=7"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the cookie %q lacks %s", cookie, part)
		}
	}
	if strings.Contains(cookie, "Secure") {
		t.Errorf("the cookie of a plain site is Secure: %q", cookie)
	}
	if a := w.status(asked.SessionID); a.Status.Status != "pending" || a.Status.Message == "" || a.ExpiresIn < 170 {
		t.Errorf("at first: %s", a.Raw)
	}
	expect(t, w.verify(asked.SessionID, "123456"), http.StatusUnprocessableEntity, "code_not_given")

	room.join("cloudstep", false)
	code := room.code(t)
	if a := w.awaitStatus(asked.SessionID, "code_provided"); a.Status.Message == "" {
		t.Errorf("with the code: %s", a.Raw)
	}
	if a := w.requestRoom(); a.SessionID != asked.SessionID || a.RoomLink != asked.RoomLink ||
		a.ExpiresIn > asked.ExpiresIn {
		t.Errorf("after a reload: %s", a.Raw)
	}
	done := w.verify(asked.SessionID, code)
	expect(t, done, http.StatusOK, "")
	want := &wirePlayer{ID: done.Player.ID, Name: "cloudstep", Level: 70, Roles: []string{}}
	if diff := cmp.Diff(want, done.Player); diff != "" {
		t.Errorf("player (-want +got):\n%s", diff)
	}
	wantCookies := []string{
		"capzone_refresh_8080=; Path=/api/v1/auth; Max-Age=0; HttpOnly; SameSite=Strict",
		"capzone_refresh_8080=" + w.cookies()[refreshCookie] + "; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict",
	}
	if diff := cmp.Diff(wantCookies, done.Header.Values("Set-Cookie")); diff != "" {
		t.Errorf("cookies (-want +got):\n%s", diff)
	}
	eventually.WaitFor(t, "the room is closed", func() bool { return !room.isOpen() })
	if a := w.status(asked.SessionID); a.Status.Status != "success" || a.ExpiresIn != 0 {
		t.Errorf("afterwards: %s", a.Raw)
	}
	expect(t, w.verify(asked.SessionID, code), http.StatusUnprocessableEntity, "session_over")

	claims := b.claims(done.AccessToken)
	if claims.PlayerID != done.Player.ID || claims.Name != "cloudstep" || len(claims.Roles) != 0 ||
		time.Until(claims.ExpiresAt) > token.Lifetime {
		t.Errorf("the token has %+v", claims)
	}
	refreshed := w.refresh()
	expect(t, refreshed, http.StatusOK, "")
	if diff := cmp.Diff(want, refreshed.User); diff != "" {
		t.Errorf("user (-want +got):\n%s", diff)
	}
	b.claims(refreshed.AccessToken)
}

// claims verifies a token with the published keys, as other services do.
func (b *bundle) claims(raw string) token.Claims {
	b.t.Helper()
	verifier, err := token.NewVerifier(b.t.Context(), []string{b.URL + "/.well-known/jwks.json"}, b.cfg.Logger("test"))
	require.NoError(b.t, err)
	claims, err := verifier.Verify(b.t.Context(), raw)
	require.NoError(b.t, err)
	return claims
}

func TestAPI_status_after_events_in_the_room(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	for _, tt := range []struct {
		name    string
		happens func(t *testing.T, r *room)
		state   string
		codes   int
	}{
		{"a guest is asked to log in", func(_ *testing.T, r *room) { r.join("Guest", true) }, "pending", 0},
		{"a guest may come back as a player", func(_ *testing.T, r *room) {
			r.join("Guest", true)
			r.leave(1)
			r.join("cloudstep", false)
		}, "code_provided", 1},
		{"a second player voids the session", func(t *testing.T, r *room) {
			t.Helper()
			r.join("cloudstep", false)
			r.code(t)
			r.join("mossfoot", false)
		}, "invalid", 1},
		{"a guest beside the player voids the session", func(t *testing.T, r *room) {
			t.Helper()
			r.join("cloudstep", false)
			r.code(t)
			r.join("Guest", true)
		}, "invalid", 1},
		{"a changed name voids the session", func(t *testing.T, r *room) {
			t.Helper()
			r.join("cloudstep", false)
			r.code(t)
			r.rename(1)
		}, "invalid", 1},
		{"a lost room fails the session", func(_ *testing.T, r *room) { r.lose() }, "failed", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := b.browser()
			asked, room := w.begin(o)
			tt.happens(t, room)
			if tt.state == "pending" {
				eventually.WaitFor(t, "the guest's notification",
					func() bool { return strings.Contains(w.status(asked.SessionID).Status.Message, "guest") })
			}
			a := w.awaitStatus(asked.SessionID, tt.state)
			if codes := room.codes(); a.Status.Message == "" || len(codes) != tt.codes {
				t.Errorf("%s, codes %v", a.Raw, codes)
			}
			if over := tt.state == "invalid" || tt.state == "failed"; over {
				eventually.WaitFor(t, "the room to be closed", func() bool { return !room.isOpen() })
				expect(t, w.verify(asked.SessionID, "123456"), http.StatusUnprocessableEntity, "session_over")
				if again := w.requestRoom(); again.SessionID == asked.SessionID {
					t.Error("a void session was handed out again")
				}
				<-o.opened
			}
		})
	}
}

func TestAPI_verify_code_before_a_late_report(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()
	asked, room, code := w.enter(o, "cloudstep")
	o.mu.Lock()
	o.held = true
	o.mu.Unlock()
	room.join("mossfoot", false)
	room.leave(2)
	expect(t, w.verify(asked.SessionID, code), http.StatusUnprocessableEntity, "session_over")
	if a := w.status(asked.SessionID); a.Status.Status != "invalid" {
		t.Errorf("the session is %s", a.Raw)
	}
	eventually.WaitFor(t, "the room to be closed", func() bool { return !room.isOpen() })
}

func TestAPI_verify_code_five_wrong_codes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()
	asked, room := w.begin(o)
	room.join("cloudstep", false)
	code, wrong := room.code(t), room.wrongCode(t)
	expect(t, w.verify(asked.SessionID, "12345"), http.StatusBadRequest, "code_malformed")
	for left := 4; left >= 0; left-- {
		a := w.verify(asked.SessionID, wrong)
		expect(t, a, http.StatusUnprocessableEntity, "code_wrong")
		if a.Data["triesLeft"] != float64(left) {
			t.Errorf("answered %s, want %d tries left", a.Raw, left)
		}
	}
	expect(t, w.verify(asked.SessionID, code), http.StatusUnprocessableEntity, "session_over")
	if a := w.status(asked.SessionID); a.Status.Status != "failed" {
		t.Errorf("the session is %s", a.Raw)
	}
}

func TestAPI_verify_code_from_another_browser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()
	asked, _, code := w.enter(o, "cloudstep")
	other := b.browser()
	other.begin(o)
	for name, stranger := range map[string]*browser{"without a cookie": b.browser(), "with a login of its own": other} {
		t.Run(name, func(t *testing.T) {
			expect(t, stranger.status(asked.SessionID), http.StatusForbidden, "not_this_browser")
			for range 6 {
				expect(t, stranger.verify(asked.SessionID, code), http.StatusForbidden, "not_this_browser")
			}
		})
	}
	expect(t, w.status("0198c0de-0000-7000-8000-000000000001"), http.StatusNotFound, "session_unknown")
	expect(t, w.status("x"), http.StatusNotFound, "session_unknown")
	expect(t, w.verify(asked.SessionID, code), http.StatusOK, "")
}

func TestAPI_verify_code_after_the_lifetime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	w := b.browser()
	asked, _, code := w.enter(o, "cloudstep")
	b.pass(login.Lifetime)
	if a := w.status(asked.SessionID); a.Status.Status != "timeout" || a.ExpiresIn != 0 {
		t.Errorf("the session is %s", a.Raw)
	}
	expect(t, w.verify(asked.SessionID, code), http.StatusUnprocessableEntity, "session_over")
	if again, _ := w.begin(o); again.SessionID == asked.SessionID {
		t.Error("the old session was handed out again")
	}
	b.pass(login.StatusRetention)
	expect(t, w.status(asked.SessionID), http.StatusNotFound, "session_unknown")
}

func TestAPI_verify_code_of_a_banned_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	decision := uuid.NewString()
	b.players.change("cloudstep", func(s *event.PlayerState) {
		s.Banned, s.Roles = true, []string{"admin"}
		s.Ban = &event.Ban{
			Until: time.Date(2099, 1, 31, 18, 0, 0, 0, time.UTC), PublicReason: access.Edited, DecisionID: decision,
		}
	})
	w := b.browser()
	asked, _, code := w.enter(o, "cloudstep")
	a := w.verify(asked.SessionID, code)
	expect(t, a, http.StatusOK, "")
	until, reason := "2099-01-31T18:00:00.000Z", "edited"
	if diff := cmp.Diff(&wireBan{&until, &reason, &decision}, a.Player.Ban); diff != "" || len(a.Player.Roles) > 0 {
		t.Errorf("roles %q, ban (-want +got):\n%s", a.Player.Roles, diff)
	}
	checkBanned(t, b, a.AccessToken, true)
	again := w.refresh()
	expect(t, again, http.StatusOK, "")
	if diff := cmp.Diff(a.Player.Ban, again.User.Ban); diff != "" {
		t.Errorf("ban after a refresh (-want +got):\n%s", diff)
	}
	checkBanned(t, b, again.AccessToken, true)
}

// checkBanned checks whether an access token says that its player is banned, and then has no roles.
func checkBanned(t *testing.T, b *bundle, raw string, want bool) {
	t.Helper()
	signer, err := token.NewSigner(b.keys, time.Now)
	require.NoError(t, err)
	claims, err := token.NewLocalVerifier(signer).Verify(t.Context(), raw)
	if err != nil || claims.Banned != want || want && len(claims.Roles) > 0 {
		t.Errorf("the token says %+v, %v", claims, err)
	}
}

// A ban covers former names, under which the player cannot log in.
func TestAPI_verify_code_of_a_former_name_of_a_banned_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot("bot1")
	b.players.change("cloudstep", func(s *event.PlayerState) { s.Banned = true })
	b.players.formerly = map[string]string{"old name": "cloudstep"}
	w := b.browser()
	asked, _, code := w.enter(o, "old name")
	expect(t, w.verify(asked.SessionID, code), http.StatusForbidden, "player_banned")
	if a := w.status(asked.SessionID); a.Status.Status != "failed" {
		t.Errorf("the session is %s", a.Raw)
	}
	if _, ok := w.cookies()["capzone_refresh_8080"]; ok {
		t.Error("there is a refresh cookie")
	}
}
