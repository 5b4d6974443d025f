package siege_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/site"
)

func TestService_that_hangs(t *testing.T) {
	visitor := newVisitor()
	for _, p := range system.Processes {
		if p.Kind != "players" {
			continue
		}
		if err := syscall.Kill(p.PID, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
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

func TestFiles_of_the_build(t *testing.T) {
	for _, path := range []string{"/.vite/manifest.json", "/assets/", "/index.html.br", "/../package.json",
		"/%2e%2e/package.json"} {
		answer, err := newVisitor().Send(t.Context(), site.Request{Path: path, AtRoot: true})
		if err != nil {
			t.Fatal(err)
		}
		if answer.Status == http.StatusOK && !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s is served: %s %.60s", path, answer.Header.Get("Content-Type"), answer.Body)
		}
	}
}

func TestRequestIDs_of_cached_answers(t *testing.T) {
	visitor, seen := newVisitor(), map[string]bool{}
	for range 3 {
		answer, err := visitor.Send(t.Context(), site.Request{Path: "/stats"})
		if err != nil {
			t.Fatal(err)
		}
		id := answer.Header.Get("X-Request-Id")
		if id == "" || seen[id] {
			t.Errorf("a cached answer has the request id %q", id)
		}
		seen[id] = true
	}
}
