package e2e_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"capzone.dev/e2e/site"
)

func TestRefresh(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	player := v.Player.ID
	if err := v.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v.Token == "" || v.Player.ID != player {
		t.Errorf("refreshed as %+v", v.Player)
	}
	m := newMap(v.Player.Name)
	if _, err := v.SubmitMap(t.Context(), submission(t, m, v.Player.Name)); err != nil {
		t.Errorf("the new token does not count: %v", err)
	}
}

func TestRefresh_without_a_cookie(t *testing.T) {
	t.Parallel()
	answer := send(t, newVisitor(), site.Request{Path: "/auth/refresh-token"})
	var got struct {
		Success     bool
		Code        string
		Message     string
		AccessToken string
	}
	if err := json.Unmarshal(answer.Body, &got); err != nil {
		t.Fatal(err)
	}
	if answer.Status != http.StatusOK || got.Success || got.Code != "refresh_missing" || got.Message == "" ||
		got.AccessToken != "" {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
}

func TestRefresh_of_two_tabs(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	cookies := v.Cookies()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			answer, err := capzone.Visitor().Send(t.Context(),
				site.Request{Path: "/auth/refresh-token", Header: http.Header{"Cookie": {header(cookies)}}})
			if err != nil || answer.Status != http.StatusOK {
				t.Errorf("%d %s %v", answer.Status, answer.Body, err)
			}
		})
	}
	group.Wait()
	if err := v.Refresh(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRefresh_with_an_invented_cookie(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	var invented []string
	for _, c := range v.Cookies() {
		invented = append(invented, c.Name+"="+strings.Repeat("A", len(c.Value)))
	}
	answer := send(t, capzone.Visitor(), site.Request{Path: "/auth/refresh-token",
		Header: http.Header{"Cookie": {strings.Join(invented, "; ")}}})
	refusal(t, answer, http.StatusUnauthorized, "refresh_invalid")
	if err := v.Refresh(t.Context()); err != nil {
		t.Errorf("the real one is gone: %v", err)
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	cookies := v.Cookies()
	v.Token = "expired.or.worse" // a logout needs no token
	if err := v.Logout(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := v.Refresh(t.Context()); !errors.Is(err, site.ErrNoSession) {
		t.Errorf("the browser still has a session: %v", err)
	}

	// Who kept the cookie has nothing of it.
	answer := send(t, capzone.Visitor(), site.Request{Path: "/auth/refresh-token",
		Header: http.Header{"Cookie": {header(cookies)}}})
	refusal(t, answer, http.StatusUnauthorized, "refresh_invalid")

	if err := v.Logout(t.Context()); err != nil {
		t.Errorf("logging out twice: %v", err)
	}
}

func header(cookies []*http.Cookie) string {
	var all []string
	for _, c := range cookies {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, "; ")
}
