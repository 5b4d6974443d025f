package compose

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"capzone.dev/e2e/internal/load"
)

// TestContainers_Crash kills the process of every container under traffic. Each starts again by itself, and no
// accepted record is lost.
func TestContainers_Crash(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	for _, service := range append(built(), "nats", "valkey", "postgres", "minio") {
		t.Run(service, func(t *testing.T) {
			crashed := running.containers(t, service)[0]
			began := time.Now()
			if err := syscall.Kill(crashed.State.Pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			load.Await(t, service+" to run again", func() bool {
				again := running.containers(t, service)
				return len(again) == 1 && again[0].State.StartedAt.After(began) && again[0].isServing()
			})
			tr.AwaitServed("the site to serve without " + service)
			t.Logf("served again after %.1f s", time.Since(began).Seconds())
		})
	}
	tr.Stop()
	users.Verify(t, capzone)
}

// TestContainers_Stopped expects that a container that an operator ended stays down until "up" starts it.
func TestContainers_Stopped(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	before := running.containers(t)
	running.mustCompose(t, "kill", "players")
	load.Await(t, "players to end", func() bool { return len(running.containers(t, "players")) == 0 })
	running.mustCompose(t, "up", "--detach", "--wait")
	tr.AwaitServed("the site to serve again")
	tr.Stop()
	users.Verify(t, capzone)
	if diff := changed(before, running.containers(t)); !slices.Equal(diff, nil) {
		t.Errorf("these containers were made anew: %v", diff)
	}
}

// changed returns the services with another container after than before.
func changed(before, after []container) (services []string) {
	for i := range min(len(before), len(after)) {
		if before[i].ID != after[i].ID {
			services = append(services, after[i].service())
		}
	}
	return services
}
