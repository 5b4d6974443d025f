package compose

import (
	"fmt"
	"regexp"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/httpget"
	"capzone.dev/e2e/internal/load"
)

// TestReplicas_Killed starts further replicas as docs/operations.md says and kills each replica of records under
// traffic. No page fails; a submission that the replica was handling is answered 503, and accepted when it is made
// again.
func TestReplicas_Killed(t *testing.T) {
	replicas := map[string]string{
		"RECORDS_REPLICAS": "3", "MAPS_REPLICAS": "2", "PLAYERS_REPLICAS": "2", "AUTH_REPLICAS": "2",
	}
	single := map[string]string{}
	for name := range replicas {
		single[name] = "1"
	}
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	scale := func(replicas map[string]string) {
		t.Helper()
		if err := running.set(replicas); err != nil {
			t.Fatal(err)
		}
		running.mustCompose(t, "up", "--detach", "--wait")
	}
	scale(replicas)
	records := running.containers(t, "records")
	if len(records) != 3 {
		t.Fatalf("records has %d replicas", len(records))
	}
	awaitReplicas(t, "records", 3)
	for _, replica := range records {
		began := time.Now()
		if err := syscall.Kill(replica.State.Pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		load.Await(t, "the replica to run again", func() bool {
			for _, c := range running.containers(t, "records") {
				if c.ID == replica.ID {
					return c.State.StartedAt.After(began) && c.isServing()
				}
			}
			return false
		})
		awaitReplicas(t, "records", 3)
	}
	scale(single)
	counts := tr.TakeCounts()
	tr.Stop()
	if len(counts.Failures) > 0 {
		t.Errorf("%d requests failed: %v", len(counts.Failures), counts.Failures)
	}
	// Whether the replica stored a record before it was killed, the gateway cannot know.
	if inFlight := len(records) * len(users.Players); len(counts.Deferred) > inFlight {
		t.Errorf("%d submissions were deferred, and %d at most were in flight: %v", len(counts.Deferred), inFlight,
			counts.Deferred)
	}
	t.Logf("%d requests were served while replicas were started, killed and removed; %d submissions were deferred",
		counts.Served, len(counts.Deferred))
	users.Verify(t, capzone)
	if got := len(running.containers(t, "records")); got != 1 {
		t.Errorf("records has %d replicas", got)
	}
}

// awaitReplicas waits until the gateway sends requests to so many replicas of a service, by its own metrics.
func awaitReplicas(t *testing.T, service string, count int) {
	t.Helper()
	gateway := running.containers(t, "gateway")[0]
	metrics := "http://" + gateway.NetworkSettings.Networks["capzone_site"].IPAddress + ":9090/metrics"
	up := regexp.MustCompile(`(?m)^gateway_replica_up\{[^}]*service="` + service + `"[^}]*\} 1$`)
	load.Await(t, fmt.Sprintf("%d replicas of %s at the gateway", count, service), func() bool {
		text, err := httpget.Body(t.Context(), metrics)
		return err == nil && len(up.FindAllString(text, -1)) == count
	})
}
