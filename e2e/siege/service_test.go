package siege_test

import (
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

func TestService_that_hangs(t *testing.T) {
	visitor := newVisitor()
	for _, p := range system.Processes {
		if p.Kind != "players" {
			continue
		}
		require.NoError(t, syscall.Kill(p.PID, syscall.SIGSTOP))
		defer func() { _ = syscall.Kill(p.PID, syscall.SIGCONT) }()
	}
	asked, took := 0, time.Duration(0)
	eventually.WaitFor(t, "the service to be known as down", func() bool {
		asked++
		began := time.Now()
		status := get(t, visitor, fmt.Sprintf("/players/search?name=hang%d", asked))
		took = time.Since(began)
		return status == http.StatusServiceUnavailable && took < time.Second
	})
	t.Logf("request %d for the service is answered 503 after %s", asked, took)
	if status := get(t, visitor, "/maps/search?name=other"); status != http.StatusOK {
		t.Errorf("another service is answered %d meanwhile", status)
	}
}

// A page of another site tries, with the player's cookies, what it must not read or do.
func TestOtherOrigins(t *testing.T) {
	player := newPlayer(t)
	for _, r := range []site.Request{
		{Path: "/auth/refresh-token"}, {Path: "/auth/status?sessionId=x"}, {Method: http.MethodPost, Path: "/auth/logout"},
		{Path: "/tokens"}, {Path: "/me/deletion"}, {Path: "/export"}, {Path: "/desk/cases"},
		{Method: http.MethodOptions, Path: "/auth/refresh-token"}, {Method: http.MethodOptions, Path: "/tokens"},
		{Method: http.MethodOptions, Path: "/records/submit"}, {Path: "/", AtRoot: true},
	} {
		for _, origin := range []string{"https://evil.example", "null"} {
			r.Header = http.Header{"Origin": {origin}, "Sec-Fetch-Site": {"cross-site"},
				"Access-Control-Request-Method": {"POST"}, "Access-Control-Request-Headers": {"authorization"}}
			answer, err := player.Send(t.Context(), r)
			require.NoError(t, err)
			if answer.Header.Get("Access-Control-Allow-Origin") != "" ||
				answer.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s %s from %s: %v", r.Method, r.Path, origin, answer.Header)
			}
		}
	}
	if err := player.Refresh(t.Context()); err != nil {
		t.Errorf("the other site has ended the session: %v", err)
	}
}
