package kubernetes

import (
	"path/filepath"
	"strings"
	"testing"

	"capzone.dev/e2e/internal/engine"
)

// TestManifests_Admitted has the API server check what the operators of a cluster apply and the tests do not run: the
// overlay for production, and the objects of the operators of PostgreSQL and Prometheus. None is stored.
func TestManifests_Admitted(t *testing.T) {
	definitions := filepath.Join(cluster.folder, "definitions")
	cluster.mustKubectl(t, "apply", "--server-side", "--filename", definitions)
	cluster.mustKubectl(t, "wait", "--for=condition=Established", "--timeout=60s", "customresourcedefinition", "--all")
	cluster.mustKubectl(t, "delete", "job/provision", "--ignore-not-found") // a job cannot be changed
	for _, arguments := range [][]string{
		{"--kustomize", filepath.Join(root, "deploy/k8s/production")},
		{"--filename", filepath.Join(root, "deploy/k8s/operators/postgres.yaml")},
		{"--kustomize", filepath.Join(root, "deploy/observability")},
	} {
		apply := []string{"apply", "--server-side", "--force-conflicts", "--dry-run=server"}
		cluster.mustKubectl(t, append(apply, arguments...)...)
	}
}

// TestNamespace_Restricted expects that the namespace admits no pod that may gain privileges.
func TestNamespace_Restricted(t *testing.T) {
	command := cluster.client(t.Context(), "--namespace=capzone", "run", "unconfined", "--image=localhost/pause:1")
	if text, err := engine.Output(command); err == nil || !strings.Contains(err.Error(), "violates PodSecurity") {
		t.Errorf("a pod without a security context: %q, %v", text, err)
	}
}
