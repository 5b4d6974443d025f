package kubernetes

import (
	"strings"
	"testing"
)

// TestRollout_EveryDeployment replaces the image of every program by another tag under traffic, and back. No page and
// no submission fails, and every record is there once.
func TestRollout_EveryDeployment(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	tr.TakeCounts()
	for _, tag := range []string{"next", "local"} {
		for _, name := range programNames() {
			image := "capzone/services:"
			if name == "bot" || name == "gateway" {
				image = "capzone/" + name + ":"
			}
			cluster.mustKubectl(t, "set", "image", "deployment/"+name, name+"="+image+tag)
		}
		for _, name := range programNames() {
			cluster.mustKubectl(t, "rollout", "status", "--timeout=5m", "deployment/"+name)
		}
		got := cluster.mustKubectl(t, "get", "deployments", "--output",
			"jsonpath={.items[*].spec.template.spec.containers[0].image}")
		if want := len(programNames()); strings.Count(got, ":"+tag) != want {
			t.Errorf("the images are %s", got)
		}
	}
	for _, name := range programNames() {
		awaitPods(t, name, 1)
	}
	tr.CheckServed("every program was replaced twice")
	tr.Stop()
	users.Verify(t, capzone)
	users.VerifyCount(t, capzone)
}
