// Package process reads from /proc what the kernel enforces for a process.
package process

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// CheckConfinement expects that a process has users and groups other than root, no capabilities, a filter of system
// calls and no way to new privileges, and that it writes only where a program or server of that name has to.
func CheckConfinement(t *testing.T, pid int, name string) {
	t.Helper()
	status := statusOf(t, pid)
	for _, user := range strings.Fields(status["Uid"] + " " + status["Gid"]) {
		if user == "0" {
			t.Errorf("users and groups %s, %s include root", status["Uid"], status["Gid"])
		}
	}
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		if capabilities, err := strconv.ParseUint(status[set], 16, 64); err != nil || capabilities != 0 {
			t.Errorf("%s: %s", set, status[set])
		}
	}
	if status["NoNewPrivs"] != "1" {
		t.Errorf("NoNewPrivs: %s", status["NoNewPrivs"])
	}
	if status["Seccomp"] != "2" { // a filter
		t.Errorf("Seccomp: %s", status["Seccomp"])
	}
	want, ok := writableOf[name]
	if !ok {
		want = []string{"/tmp"}
	}
	if got := writableMounts(t, pid); !slices.Equal(got, want) {
		t.Errorf("writable mounts are %v, want %v", got, want)
	}
}

// writableOf are the mounts of a server's disk or memory to which it may write. All programs have the same.
var writableOf = map[string][]string{
	"postgres": {"/run/postgresql", "/tmp", "/var/lib/postgresql"}, "valkey": {"/data"}, "nats": {"/data"},
	"minio": {"/data", "/tmp"},
}

// statusOf returns the fields of /proc/PID/status.
func statusOf(t *testing.T, pid int) map[string]string {
	t.Helper()
	fields := map[string]string{}
	for line := range strings.Lines(readProc(t, pid, "status")) {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	return fields
}

// kernelMounts are mounts of the kernel's own file systems, and files that an engine mounts into every container.
var kernelMounts = regexp.MustCompile(`^/(proc|sys|dev)(/|$)|^/etc/(hosts|hostname|resolv\.conf)$`)

// writableMounts returns the mounts of a process that are not read-only, sorted.
func writableMounts(t *testing.T, pid int) (points []string) {
	t.Helper()
	for line := range strings.Lines(readProc(t, pid, "mountinfo")) {
		fields := strings.Fields(line)
		point, options := fields[4], strings.Split(fields[5], ",")
		if slices.Contains(options, "rw") && !kernelMounts.MatchString(point) {
			points = append(points, point)
		}
	}
	slices.Sort(points)
	return points
}

// MemoryLimit returns the limit of the process's control group, of either version, in bytes.
func MemoryLimit(t *testing.T, pid int) int64 {
	t.Helper()
	for line := range strings.Lines(readProc(t, pid, "cgroup")) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, path, _ := strings.Cut(rest, ":")
		file := filepath.Join("/sys/fs/cgroup", path, "memory.max")
		if controllers == "memory" {
			file = filepath.Join("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes")
		}
		if text, err := os.ReadFile(file); err == nil {
			limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return limit
		}
	}
	t.Fatalf("process %d has no memory controller", pid)
	return 0
}

func readProc(t *testing.T, pid int, file string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
