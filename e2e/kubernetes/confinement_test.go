package kubernetes

import (
	"strconv"
	"strings"
	"testing"

	"capzone.dev/e2e/internal/process"
)

// TestPods_Confinement reads from /proc what the kernel enforces for the process of every pod.
func TestPods_Confinement(t *testing.T) {
	list := podsOf(t)
	if want := len(programNames()) + len(servers); len(list) != want {
		t.Errorf("%d pods run, want %d", len(list), want)
	}
	for _, p := range list {
		t.Run(p.name(), func(t *testing.T) {
			pid, err := p.pid()
			if err != nil {
				t.Fatal(err)
			}
			process.CheckConfinement(t, pid, p.name())
			limit := p.Spec.Containers[0].Resources.Limits.Memory
			if got := process.MemoryLimit(t, pid); got != bytesOf(t, limit) || got < 64<<20 || got > 2<<30 {
				t.Errorf("the memory limit is %d, and the manifest has %s", got, limit)
			}
		})
	}
}

// bytesOf returns a quantity of memory.
func bytesOf(t *testing.T, quantity string) int64 {
	t.Helper()
	number, isGiB := strings.CutSuffix(quantity, "Gi")
	size, err := strconv.ParseInt(strings.TrimSuffix(number, "Mi"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if isGiB {
		return size << 30
	}
	return size << 20
}
