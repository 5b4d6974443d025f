package siege_test

import (
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
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
