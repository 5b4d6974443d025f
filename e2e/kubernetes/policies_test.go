package kubernetes

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/e2e/internal/load"
)

// allowed returns the connections that are needed: the ports of others that each pod connects to.
func allowed() map[string][]string {
	connections := map[string][]string{
		"gateway": {"nats:4222", "valkey:6379"}, "bot": {"nats:4222"},
		"provision": {"nats:4222"}, "provision-storage": {"minio:9000"}, "backup": {"postgres:5432", "minio:9000"},
		"ingress": {"gateway:8080", "bot:8080", "outside:6443"}, "stranger": {"outside:6443"},
		"monitoring": {"gateway:9090", "bot:9090", "outside:6443"},
	}
	for _, s := range services {
		connections[s.Name] = []string{"postgres:5432", "nats:4222"}
		if !s.Keys {
			connections[s.Name] = append(connections[s.Name], "auth:8080")
		}
		if s.Valkey {
			connections[s.Name] = append(connections[s.Name], "valkey:6379")
		}
		if s.Bucket {
			connections[s.Name] = append(connections[s.Name], "minio:9000")
		}
		connections["gateway"] = append(connections["gateway"], s.Name+":8080")
		connections["monitoring"] = append(connections["monitoring"], s.Name+":9090")
	}
	for _, list := range connections {
		slices.Sort(list)
	}
	return connections
}

// ports are those on which servers accept connections. All programs have the same.
var ports = map[string][]int{"postgres": {5432}, "valkey": {6379}, "nats": {4222, 8222}, "minio": {9000}}

// TestPolicies_Connections connects from the network of every pod, and of some with the labels of jobs or without any,
// to every port of all others and of the node. Connections that are needed are the only ones.
func TestPolicies_Connections(t *testing.T) {
	manifests := namespace("monitoring") + standIn("monitoring", "monitoring") + standIn("default", "stranger")
	jobs := []string{"provision", "provision-storage", "backup"}
	for _, job := range jobs {
		manifests += standIn("capzone", job)
	}
	if err := cluster.apply(t.Context(), manifests); err != nil {
		t.Fatal(err)
	}
	defer cluster.mustKubectl(t, "delete", "pods", "--selector=stand-in")
	if _, err := cluster.kubectl(t.Context(), "wait", "--for=condition=Ready", "--timeout=90s", "pods", "--all-namespaces",
		"--selector=stand-in"); err != nil {
		t.Fatal(err)
	}
	targets := map[string]string{"outside:6443": "10.255.0.1/6443"}
	from := map[string]int{}
	for _, name := range []string{"capzone", "monitoring", "ingress", "default"} {
		list, err := cluster.pods(t.Context(), name, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if p.name() == "after" {
				continue // of another test
			}
			if from[p.name()], err = p.pid(); err != nil {
				t.Fatal(err)
			}
			if p.Metadata.Labels["stand-in"] != "" {
				continue
			}
			for _, port := range portsOf(p.name()) {
				targets[fmt.Sprintf("%s:%d", p.name(), port)] = fmt.Sprintf("%s/%d", p.Status.PodIP, port)
			}
		}
	}
	// The node's firewall follows new pods after some seconds.
	var diff string
	if !load.Holds(t.Context(), func() bool {
		diff = cmp.Diff(allowed(), connections(t, from, targets))
		return diff == ""
	}) {
		t.Errorf("connections (-needed +possible):\n%s", diff)
	}
}

func portsOf(name string) []int {
	if list, ok := ports[name]; ok {
		return list
	}
	return []int{8080, 9090}
}

// connections returns the targets that can be connected to from the networks of processes.
func connections(t *testing.T, from map[string]int, targets map[string]string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	var mu sync.Mutex
	var attempts sync.WaitGroup
	limit := make(chan struct{}, 16)
	for name, pid := range from {
		for target, place := range targets {
			if strings.HasPrefix(target, name+":") {
				continue
			}
			attempts.Go(func() {
				limit <- struct{}{}
				defer func() { <-limit }()
				if exec.CommandContext(t.Context(), "nsenter", "--target", fmt.Sprint(pid), "--net", "timeout", "1", "bash", "-c",
					"</dev/tcp/"+place).Run() == nil {
					mu.Lock()
					defer mu.Unlock()
					found[name] = append(found[name], target)
				}
			})
		}
	}
	attempts.Wait()
	for _, list := range found {
		slices.Sort(list)
	}
	return found
}
