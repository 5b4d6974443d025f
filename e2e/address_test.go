package e2e_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

func TestFindByPort(t *testing.T) {
	t.Parallel()
	if !own {
		t.Skip("the stack is not the tests' own")
	}
	address, err := url.Parse(local.Site)
	if err != nil {
		t.Fatal(err)
	}
	found, err := stack.FindByPort(address.Port())
	if err != nil || found.DataDir != local.DataDir {
		t.Errorf("the stack of port %s is %s (%v), want %s", address.Port(), found.DataDir, err, local.DataDir)
	}
	if _, err := stack.FindByPort("1"); !errors.Is(err, stack.ErrNotRunning) {
		t.Errorf("port 1: %v", err)
	}
}

func TestLogin_at_either_loopback_address(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(capzone.Address())
	if err != nil {
		t.Fatal(err)
	}
	if host := address.Hostname(); host != "localhost" && host != "127.0.0.1" {
		t.Skip("the site is not on this machine")
	}
	for _, host := range []string{"localhost", "127.0.0.1"} {
		origin := "http://" + host + ":" + address.Port()
		v := site.New(origin).Visitor()
		v.Header = http.Header{"Origin": {origin}, "Sec-Fetch-Site": {"same-origin"}}
		if _, err := v.Login(t.Context(), account()); err != nil {
			t.Errorf("%s: %v", origin, err)
		}
		if err := v.Refresh(t.Context()); err != nil {
			t.Errorf("%s: refresh: %v", origin, err)
		}
	}
}
