package chaos

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestRollingRestart restarts every replica of every service one by one. No request may be refused.
func TestRollingRestart(t *testing.T) {
	l := begin(t)
	awaitRecovery(t, l, time.Now())
	l.tally.reset()
	began := time.Now()
	restart := exec.CommandContext(t.Context(), running.Launcher(), "restart")
	restart.Env = append(os.Environ(), "DATA_DIR="+running.DataDir)
	output, err := restart.CombinedOutput()
	if err != nil {
		t.Fatalf("restart: %v\n%s", err, output)
	}
	took := time.Since(began)
	pause(t, calm)
	l.end()
	if restarted := strings.Count(string(output), "is restarted\n"); restarted != 9 {
		t.Errorf("%d of 9 replicas were restarted:\n%s", restarted, output)
	}
	t.Logf("%.1f s; served: %s", took.Seconds(), l.tally)
	l.tally.check(t, all(), nil, nil)
	verify(t)
}
