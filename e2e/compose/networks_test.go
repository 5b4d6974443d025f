package compose

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listening are the ports on which the servers accept connections from their networks. All programs have the same.
var listening = map[string][]int{"postgres": {5432}, "valkey": {6379}, "nats": {4222}, "minio": {9000}}

func portsOf(service string) []int {
	if ports, ok := listening[service]; ok {
		return ports
	}
	return []int{8080, 9090}
}

// reachable returns the containers that each container can connect to: those with which it shares a network.
func reachable() map[string][]string {
	networks := map[string][]string{
		"site": {"gateway"}, "database": {"postgres"}, "bus": {"gateway", "nats"}, "rooms": {"bot", "nats"},
		"cache": {"gateway", "valkey"}, "storage": {"minio"},
	}
	for _, s := range services {
		for network, member := range map[string]bool{
			"site": true, "database": true, "bus": true, "cache": s.Valkey, "storage": s.Bucket,
		} {
			if member {
				networks[network] = append(networks[network], s.Name)
			}
		}
	}
	peers := map[string][]string{}
	for _, members := range networks {
		for _, from := range members {
			for _, to := range members {
				if from != to && !slices.Contains(peers[from], to) {
					peers[from] = append(peers[from], to)
				}
			}
		}
	}
	for _, names := range peers {
		slices.Sort(names)
	}
	return peers
}

// TestNetworks_Reachability connects from the network of every container to every port of every other one.
func TestNetworks_Reachability(t *testing.T) {
	containers := running.containers(t)
	got := map[string][]string{}
	var mu sync.Mutex
	var attempts sync.WaitGroup
	limit := make(chan struct{}, 16)
	for _, from := range containers {
		for _, to := range containers {
			if from.ID == to.ID {
				continue
			}
			attempts.Go(func() {
				limit <- struct{}{}
				defer func() { <-limit }()
				if connects(t, from, to) {
					mu.Lock()
					got[from.service()] = append(got[from.service()], to.service())
					mu.Unlock()
				}
			})
		}
	}
	attempts.Wait()
	for _, services := range got {
		slices.Sort(services)
	}
	if diff := cmp.Diff(reachable(), got); diff != "" {
		t.Errorf("connections between containers (-want +got):\n%s", diff)
	}
}

// connects reports whether a container can connect to any port of another one by any of its addresses.
func connects(t *testing.T, from, to container) bool {
	t.Helper()
	var attempts []string
	for _, network := range to.NetworkSettings.Networks {
		for _, port := range portsOf(to.service()) {
			attempts = append(attempts, fmt.Sprintf("timeout 1 bash -c '</dev/tcp/%s/%d'", network.IPAddress, port))
		}
	}
	return inNetworkOf(t, from, strings.Join(attempts, "||")) == nil
}

// TestNetworks_Outward expects that the gateway, the bot and the sender of webhooks alone have a route out of the site.
func TestNetworks_Outward(t *testing.T) {
	var got []string
	for _, c := range running.containers(t) {
		if inNetworkOf(t, c, "test $(ip route show default | wc -l) = 1") == nil {
			got = append(got, c.service())
		}
	}
	if want := []string{"bot", "gateway", "notifications"}; !slices.Equal(got, want) {
		t.Errorf("%v have a route out of the site, want %v", got, want)
	}
}

// TestNetworks_Published expects that the gateway is published on the loopback address alone, besides the simulated
// rooms.
func TestNetworks_Published(t *testing.T) {
	text, err := running.Docker(t.Context(), "ps", "--format", "{{.Ports}}")
	if err != nil {
		t.Fatal(err)
	}
	for _, published := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ',' }) {
		published = strings.TrimSpace(published)
		if strings.Contains(published, "->") && !strings.HasPrefix(published, "127.0.0.1:") {
			t.Errorf("published beyond this machine: %s", published)
		}
	}
}

// inNetworkOf runs a script of the machine's shell in the network namespace of a container.
func inNetworkOf(t *testing.T, c container, script string) error {
	t.Helper()
	return exec.CommandContext(t.Context(), "nsenter", "--target", fmt.Sprint(c.State.Pid), "--net", "bash", "-c",
		script+" 2>/dev/null").Run()
}
