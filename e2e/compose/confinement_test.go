package compose

import (
	"testing"

	"capzone.dev/e2e/internal/process"
	"capzone.dev/platform/event"
)

// servers is the number of servers that the programs use: PostgreSQL, Valkey, NATS and MinIO.
const servers = 4

// TestContainers_Confinement reads from /proc what the kernel enforces for the process of every container.
func TestContainers_Confinement(t *testing.T) {
	containers := running.containers(t)
	if want := len(event.Programs()) + servers; len(containers) != want {
		t.Errorf("%d containers run, want %d", len(containers), want)
	}
	for _, c := range containers {
		t.Run(c.service(), func(t *testing.T) {
			process.CheckConfinement(t, c.State.Pid, c.service())
			if got := process.MemoryLimit(t, c.State.Pid); got != c.HostConfig.Memory || got < 64<<20 || got > 2<<30 {
				t.Errorf("the memory limit is %d, and the engine reports %d", got, c.HostConfig.Memory)
			}
			if c.HostConfig.MemorySwap != c.HostConfig.Memory {
				t.Errorf(
					"memory and swap are limited to %d, memory to %d",
					c.HostConfig.MemorySwap,
					c.HostConfig.Memory,
				)
			}
			if c.HostConfig.PidsLimit <= 0 {
				t.Errorf("processes are limited to %d", c.HostConfig.PidsLimit)
			}
		})
	}
}
