package chaos

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"capzone.dev/devstack/require"
)

// TestRollingRestart restarts every replica of every service one by one. No request may be refused.
func TestRollingRestart(t *testing.T) {
	l := begin(t)
	awaitRecovery(t, l, time.Now())
	l.tally.reset()
	began := time.Now()
	output, err := running.Restart(t.Context())
	require.NoError(t, err)
	took := time.Since(began)
	pause(t, calm)
	l.end()
	if restarted := strings.Count(output, "is restarted\n"); restarted != replicasOfServices {
		t.Errorf("%d of %d replicas were restarted:\n%s", restarted, replicasOfServices, output)
	}
	t.Logf("%.1f s; served: %s", took.Seconds(), l.tally)
	l.tally.check(t, all(), nil, nil)
	verify(t)
}

// TestRestart_gateway restarts the gateway while clients open a connection for each request. The launcher holds the
// listening socket, so connections wait for the new process, and none is refused.
func TestRestart_gateway(t *testing.T) {
	const clients = 8
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var served, slowest atomic.Int64
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				response, err := client.Get(capzone.Address() + "/api/v1/stats")
				if err != nil {
					t.Error(err)
					return
				}
				_ = response.Body.Close()
				if response.StatusCode != http.StatusOK {
					t.Errorf("answered %s", response.Status)
				}
				served.Add(1)
				for took := int64(time.Since(began)); took > slowest.Load(); {
					slowest.CompareAndSwap(slowest.Load(), took)
				}
			}
		})
	}
	output, err := running.Restart(t.Context(), "gateway")
	if err != nil || strings.Count(output, "is restarted\n") != 1 {
		t.Errorf("the gateway was not restarted: %v\n%s", err, output)
	}
	before := served.Load()
	if !soon(t, func() bool { return served.Load() >= before+10*clients }) {
		t.Error("no requests are served after the restart")
	}
	stop()
	group.Wait()
	t.Logf("%d connections, none refused; the slowest waited %s", served.Load(), time.Duration(slowest.Load()))
}
