package chaos

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestRollingRestart restarts every replica of every service one by one. No request may be refused.
func TestRollingRestart(t *testing.T) {
	l := begin(t)
	awaitRecovery(t, l, time.Now())
	l.tally.reset()
	began := time.Now()
	output := restart(t)
	took := time.Since(began)
	pause(t, calm)
	l.end()
	if restarted := strings.Count(output, "is restarted\n"); restarted != 11 {
		t.Errorf("%d of 11 replicas were restarted:\n%s", restarted, output)
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
	if output := restart(t, "gateway"); strings.Count(output, "is restarted\n") != 1 {
		t.Errorf("the gateway was not restarted:\n%s", output)
	}
	before := served.Load()
	if !soon(t, func() bool { return served.Load() >= before+10*clients }) {
		t.Error("no requests are served after the restart")
	}
	stop()
	group.Wait()
	t.Logf("%d connections, none refused; the slowest waited %s", served.Load(), time.Duration(slowest.Load()))
}

// restart restarts processes of the stack as make restart does, all services without names, and returns the output.
func restart(t *testing.T, names ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), running.Launcher(), append([]string{"restart"}, names...)...)
	command.Env = append(os.Environ(), "DATA_DIR="+running.DataDir)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("restart: %v\n%s", err, output)
	}
	return string(output)
}
