package compose

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

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
			status := statusOf(t, c.State.Pid)
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
			want, ok := writableOf[c.service()]
			if !ok {
				want = []string{"/tmp"}
			}
			if writable := writableMounts(t, c.State.Pid); !slices.Equal(writable, want) {
				t.Errorf("writable mounts are %v, want %v", writable, want)
			}
			if got := memoryLimit(t, c.State.Pid); got != c.HostConfig.Memory || got < 64<<20 || got > 2<<30 {
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

// kernelMounts are mounts of the kernel's own file systems, and files that the engine mounts into every container.
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

// memoryLimit returns the limit of the process's control group, of either version, in bytes.
func memoryLimit(t *testing.T, pid int) int64 {
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
