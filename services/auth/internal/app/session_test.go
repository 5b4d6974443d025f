package app_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/session"
)

const refreshCookie = "capzone_refresh_8080"

func TestAPI_refresh(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot()
	w := b.browser()
	w.login(o, "cloudstep")
	first := w.cookies()[refreshCookie]
	thief := w.copyOf()
	expect(t, w.refresh(), http.StatusOK, "")
	if second := w.cookies()[refreshCookie]; second == first || second == "" {
		t.Errorf("the cookie is %q after %q", second, first)
	}
	b.pass(session.Grace)
	expect(t, w.refresh(), http.StatusOK, "")
	stolen := thief.refresh()
	expect(t, stolen, http.StatusUnauthorized, "refresh_reused")
	if stolen.Header.Get("Set-Cookie") != "" {
		t.Error("a thief got a cookie")
	}
	expect(t, w.refresh(), http.StatusUnauthorized, "refresh_invalid")
}

func TestAPI_refresh_without_a_session(t *testing.T) {
	t.Parallel()
	b := setup(t)
	expectNoSession(t, b.browser().refresh())
	expectNoSession(t, b.browser().do(http.MethodGet, "/api/v1/auth/refresh-token", "", "Cookie", refreshCookie+"="))
	expect(t, b.browser().do(http.MethodGet, "/api/v1/auth/refresh-token", "", "Cookie", refreshCookie+"=made-up"),
		http.StatusUnauthorized, "refresh_invalid")
	// Another stack on this host has its own cookies.
	expectNoSession(t, b.browser().do(http.MethodGet, "/api/v1/auth/refresh-token", "", "Cookie",
		"capzone_refresh_8081=made-up"))
}

// expectNoSession fails unless an answer has status 200 and no session.
func expectNoSession(t *testing.T, a answer) {
	t.Helper()
	if a.HTTPStatus != http.StatusOK || a.Success || a.Code != "refresh_missing" || a.Message == "" ||
		a.AccessToken != "" || a.User != nil {
		t.Errorf("got %d %s", a.HTTPStatus, a.Raw)
	}
	if cookie := a.Header.Get("Set-Cookie"); cookie != "" {
		t.Errorf("it sets the cookie %s", cookie)
	}
}

func TestAPI_logout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot()
	w := b.browser()
	w.login(o, "cloudstep")
	stolen := w.copyOf()
	request := event.CheckSession{SessionID: b.claims(w.refresh().AccessToken).SessionID}
	check := func() error {
		_, err := eventbus.Call[struct{}](t.Context(), b.NATS, event.CheckSessionSubject, request)
		return err
	}
	require.NoError(t, check())
	b.pass(token.Lifetime + time.Minute)
	a := w.logout("Authorization", "Bearer expired")
	expect(t, a, http.StatusOK, "")
	if cookies := w.cookies(); len(cookies) != 0 || len(a.Header.Values("Set-Cookie")) != 2 {
		t.Errorf("cookies after the logout: %v", cookies)
	}
	expect(t, stolen.refresh(), http.StatusUnauthorized, "refresh_invalid")
	if err := check(); servicetest.Refusal(err) != "session_ended" {
		t.Errorf("the session after the logout: %v", err)
	}
	expect(t, w.logout(), http.StatusOK, "")
	expect(t, b.browser().logout(), http.StatusOK, "")
	expect(t, w.do(http.MethodGet, "/api/v1/auth/logout", ""), http.StatusMethodNotAllowed, "method_not_allowed")
}

func TestAPI_refresh_gives_new_roles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot()
	w := b.browser()
	w.login(o, "cloudstep")
	promoted := b.players.change("cloudstep", func(s *event.PlayerState) {
		s.Roles, s.SkinImageURL, s.SkinColor = []string{"validator"}, "/media/skins/x.webp", "#102030"
	})
	eventually.WaitFor(t, "the role to reach a token", func() bool {
		a := w.refresh()
		return a.User != nil && cmp.Equal(a.User.Roles, promoted.Roles) && cmp.Equal(b.claims(a.AccessToken).Roles,
			promoted.Roles) &&
			*a.User.SkinImageUrl == promoted.SkinImageURL && *a.User.SkinColor == promoted.SkinColor
	})
}

func TestCommands_rebuild(t *testing.T) {
	b := setup(t)
	o := b.startBot()
	w, cheat := b.browser(), b.browser()
	w.login(o, "cloudstep")
	cheat.login(o, "mossfoot")
	b.players.change("cloudstep", func(s *event.PlayerState) { s.Roles = []string{"admin"} })
	b.players.change("mossfoot", func(s *event.PlayerState) { s.Banned = true })
	for n := range 50 {
		b.players.change("player"+string(rune('A'+n)), func(*event.PlayerState) {})
	}
	eventually.WaitFor(t, "the copies", func() bool {
		return pgtest.Value[int](t, b.Pool, `select count(*) from players where version > 0`) == 52
	})
	eventually.WaitFor(t, "the ban", func() bool {
		return pgtest.Value[int](t, b.Pool,
			`select count(*) from players where banned`) == 1
	})
	pgtest.Exec(t, b.Pool, `truncate players`)

	b.players.stop()
	said, err := b.command("rebuild")
	require.NoError(t, err)
	if said != "Rebuilt from 52 states.\n" || pgtest.Value[int](t, b.Pool, `select count(*) from players`) != 52 {
		t.Errorf("the command printed %q, %d copies", said,
			pgtest.Value[int](t, b.Pool, `select count(*) from players`))
	}
	a := w.refresh()
	expect(t, a, http.StatusOK, "")
	assert.Equal(t, "roles", []string{"admin"}, a.User.Roles)
	if a := cheat.refresh(); a.User == nil || a.User.Ban == nil {
		t.Errorf("the banned player: %s", a.Raw)
	}
}

func TestCommands_keygen(t *testing.T) {
	b := setup(t)
	text, err := b.command("keygen")
	require.NoError(t, err)
	keys, err := token.ParseKeys([]byte(text))
	if err != nil || len(keys) != 1 || strings.Contains(text, b.keys[0].ID) {
		t.Errorf("%s: %v", text, err)
	}
	if _, err := b.command("keygen", "x"); err == nil || errors.Is(err, token.ErrInvalid) {
		t.Errorf("with an argument: %v", err)
	}
}

func TestAPI_verify_code_ends_the_earlier_session(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.startBot()
	w := b.browser()
	w.login(o, "cloudstep")
	before := w.copyOf()
	w.login(o, "mossfoot")
	expect(t, before.refresh(), http.StatusUnauthorized, "refresh_invalid")
	if a := w.refresh(); a.User == nil || a.User.Name != "mossfoot" {
		t.Errorf("logged in as %s", a.Raw)
	}
}
