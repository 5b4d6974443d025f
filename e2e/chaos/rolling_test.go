package chaos

import (
	"strings"
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
