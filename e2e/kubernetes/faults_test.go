package kubernetes

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"capzone.dev/e2e/internal/load"
)

// servers are the stateful sets.
var servers = []string{"nats", "valkey", "postgres", "minio"}

// TestFaults_Killed kills the process of every pod under traffic. Each starts again by itself, and no accepted record
// is lost.
func TestFaults_Killed(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	for _, name := range append(programNames(), servers...) {
		t.Run(name, func(t *testing.T) {
			killed := awaitPods(t, name, 1)[0]
			pid, err := killed.pid()
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			load.Await(t, name+" to run again", func() bool {
				list := podsOf(t, name)
				return len(list) == 1 && list[0].isServing() &&
					list[0].Status.ContainerStatuses[0].RestartCount > killed.Status.ContainerStatuses[0].RestartCount
			})
			tr.AwaitServed("the site to serve without " + name)
			t.Logf("served again after %.1f s", time.Since(began).Seconds())
		})
	}
	tr.Stop()
	users.Verify(t, capzone)
	users.VerifyCount(t, capzone)
}

// TestFaults_Deleted deletes the pods of PostgreSQL and of records. PostgreSQL comes back on its volume.
func TestFaults_Deleted(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	claim := []string{"get", "persistentvolumeclaim/data-postgres-0", "--output", "jsonpath={.spec.volumeName}"}
	volume := cluster.mustKubectl(t, claim...)
	for _, name := range []string{"postgres", "records"} {
		deleted := awaitPods(t, name, 1)[0]
		cluster.mustKubectl(t, "delete", "pod", deleted.Metadata.Name, "--wait=false")
		load.Await(t, "another pod of "+name, func() bool {
			list := podsOf(t, name)
			return len(list) == 1 && list[0].isServing() && list[0].Metadata.UID != deleted.Metadata.UID
		})
		tr.AwaitServed("the site to serve with another pod of " + name)
	}
	tr.Stop()
	if again := cluster.mustKubectl(t, claim...); volume == "" || again != volume {
		t.Errorf("the volume of PostgreSQL was %q and is %q", volume, again)
	}
	users.Verify(t, capzone)
	users.VerifyCount(t, capzone)
}

// TestFaults_Kubelet kills the kubelet under traffic. No request fails, no pod is started again, and the new kubelet
// starts pods.
func TestFaults_Kubelet(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	before := containerIDs(t)
	tr.TakeCounts()
	killed := kubelet(t)
	if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	load.Await(t, "another kubelet", func() bool { pid := kubelet(t); return pid != 0 && pid != killed })
	if err := cluster.apply(t.Context(), standIn("default", "after")); err != nil {
		t.Fatal(err)
	}
	_, err := cluster.kubectl(t.Context(), "wait", "--for=condition=Ready", "--timeout=90s", "pod/stand-in-after")
	if err != nil {
		t.Error(err)
	}
	tr.AwaitServed("the site to serve with another kubelet")
	tr.CheckServed("the kubelet was started again")
	tr.Stop()
	if after := containerIDs(t); after != before {
		t.Errorf("the containers were\n%s\nand are\n%s", before, after)
	}
	users.Verify(t, capzone)
}

// kubelet returns the process of the node's kubelet, or 0.
func kubelet(t *testing.T) int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if program, err := os.Readlink(file); err == nil && program == filepath.Join(cluster.folder, "bin", "kubelet") {
			pid, err := strconv.Atoi(strings.Split(file, "/")[2])
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	return 0
}

// containerIDs lists the containers of the site.
func containerIDs(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	for _, p := range podsOf(t) {
		fmt.Fprintf(&text, "%s %s\n", p.Metadata.Name, p.Status.ContainerStatuses[0].ContainerID)
	}
	return text.String()
}
