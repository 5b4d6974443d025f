package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/httpapi"
	"capzone.dev/services/auth/internal/login"
)

func TestAPI_login(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot()
	w := b.browser()

	asked := w.requestRoom()
	expect(t, asked, http.StatusOK, "")
	room := <-o.opened
	if asked.RoomLink != "https://game.test/bot1-room1" || asked.ExpiresIn < 170 || asked.ExpiresIn > 180 ||
		asked.SessionID != room.session {
		t.Errorf("answered %s", asked.Raw)
	}
	cookie := asked.Header.Get("Set-Cookie")
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
	expect(t, b.browser().status(asked.SessionID), http.StatusForbidden, "not_this_browser")
	expect(t, w.status("x"), http.StatusNotFound, "session_unknown")

	room.join("cloudstep")
	code := room.code(t)
	if a := w.awaitStatus(asked.SessionID, "code_provided"); a.Status.Message == "" {
		t.Errorf("with the code: %s", a.Raw)
	}
	if a := w.requestRoom(); a.SessionID != asked.SessionID || a.RoomLink != asked.RoomLink ||
		a.ExpiresIn > asked.ExpiresIn {
		t.Errorf("after a reload: %s", a.Raw)
	}
	wrong := w.verify(asked.SessionID, strings.Map(func(d rune) rune { return '0' + (d-'0'+1)%10 }, code))
	expect(t, wrong, http.StatusUnprocessableEntity, "code_wrong")
	if wrong.Data["triesLeft"] != float64(login.MaxTries-1) {
		t.Errorf("a wrong code: %s", wrong.Raw)
	}
	done := w.verify(asked.SessionID, code)
	expect(t, done, http.StatusOK, "")
	want := &httpapi.LoggedInPlayer{
		UnderscoreId: done.Player.UnderscoreId, Name: "cloudstep", Level: 70, Roles: []string{},
	}
	assert.Equal(t, "player", want, done.Player)
	wantCookies := []string{
		"capzone_refresh_8080=" + w.cookies()[refreshCookie] + "; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict",
	}
	assert.Equal(t, "cookies", wantCookies, done.Header.Values("Set-Cookie"))
	eventually.WaitFor(t, "the room is closed", func() bool { return !room.isOpen() })
	if a := w.status(asked.SessionID); a.Status.Status != "success" || a.ExpiresIn != 0 {
		t.Errorf("afterwards: %s", a.Raw)
	}
	expect(t, w.verify(asked.SessionID, code), http.StatusUnprocessableEntity, "session_over")

	claims := b.claims(done.AccessToken)
	if claims.PlayerID != done.Player.UnderscoreId || claims.Name != "cloudstep" || len(claims.Roles) != 0 ||
		time.Until(claims.ExpiresAt) > token.Lifetime {
		t.Errorf("the token has %+v", claims)
	}
	refreshed := w.refresh()
	expect(t, refreshed, http.StatusOK, "")
	assert.Equal(t, "user", want, refreshed.User)
	if again := b.claims(refreshed.AccessToken); again.SessionID != claims.SessionID || again.SessionID == "" {
		t.Errorf("the session %q became %q", claims.SessionID, again.SessionID)
	}
}

// claims verifies a token with the published keys, as other services do.
func (b *bundle) claims(raw string) token.Claims {
	b.t.Helper()
	verifier, err := token.NewVerifier(b.t.Context(), []string{b.URL + "/.well-known/jwks.json"}, b.cfg.Logger("test"))
	require.NoError(b.t, err)
	claims, err := verifier.Verify(raw)
	require.NoError(b.t, err)
	return claims
}

func TestAPI_verify_code_of_a_banned_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot()
	decision := uuid.NewString()
	b.players.change("cloudstep", func(s *event.PlayerState) {
		s.Banned, s.Roles = true, []string{"admin"}
		s.Ban = &event.Ban{
			Until: time.Date(2099, 1, 31, 18, 0, 0, 0, time.UTC), PublicReason: access.Edited, DecisionID: decision,
		}
	})
	w := b.browser()
	asked, code := w.enter(o, "cloudstep")
	a := w.verify(asked.SessionID, code)
	expect(t, a, http.StatusOK, "")
	until, reason := "2099-01-31T18:00:00.000Z", "edited"
	ban := &httpapi.PlayerBan{Until: &until, Reason: &reason, DecisionId: &decision}
	if diff := cmp.Diff(ban, a.Player.Ban); diff != "" || len(a.Player.Roles) > 0 {
		t.Errorf("roles %q, ban (-want +got):\n%s", a.Player.Roles, diff)
	}
	checkBanned(t, b, a.AccessToken, true)
	again := w.refresh()
	expect(t, again, http.StatusOK, "")
	assert.Equal(t, "ban after a refresh", a.Player.Ban, again.User.Ban)
	checkBanned(t, b, again.AccessToken, true)
}

// checkBanned checks whether an access token says that its player is banned, and then has no roles.
func checkBanned(t *testing.T, b *bundle, raw string, want bool) {
	t.Helper()
	signer, err := token.NewSigner(b.keys, time.Now)
	require.NoError(t, err)
	claims, err := token.NewLocalVerifier(signer).Verify(raw)
	if err != nil || claims.Banned != want || want && len(claims.Roles) > 0 {
		t.Errorf("the token says %+v, %v", claims, err)
	}
}
