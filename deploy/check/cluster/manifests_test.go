package cluster

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"capzone.dev/platform/event"
)

// TestManifests_Applied finds an object that the API server does not have after all were applied; that it refuses
// one is found when the tests start.
func TestManifests_Applied(t *testing.T) {
	got, err := kubectl(t.Context(), nil, "--namespace", "capzone", "get", "--output", "name",
		"deployments,jobs,horizontalpodautoscalers,poddisruptionbudgets,services,ingresses,networkpolicies,"+
			"podmonitors,prometheusrules,clusters.postgresql.cnpg.io,databases.postgresql.cnpg.io")
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{
		"job.batch/provision", "ingress.networking.k8s.io/capzone",
		"horizontalpodautoscaler.autoscaling/records", "networkpolicy.networking.k8s.io/default-deny",
		"cluster.postgresql.cnpg.io/capzone", "database.postgresql.cnpg.io/capzone-records",
	}
	for _, p := range event.Programs() {
		wanted = append(wanted, "deployment.apps/"+p.Name)
	}
	for _, want := range wanted {
		if !slices.Contains(strings.Fields(got), want) {
			t.Errorf("there is no %s among %v", want, got)
		}
	}
}

// TestPodTemplates_Admitted finds a pod that the namespace refuses, which enforces the pod security standard
// "restricted", and a namespace that admits pods which may gain privileges.
func TestPodTemplates_Admitted(t *testing.T) {
	pods := templates(t)
	if want := len(event.Programs()) + 1; len(pods) != want { // those of the programs and of the provisioning
		t.Errorf("%d pod templates, want %d", len(pods), want)
	}
	for _, pod := range pods {
		if err := admit(t, pod); err != nil {
			t.Errorf("%s: %v", pod.Name, err)
		}
		for i := range pod.Spec.Containers {
			pod.Spec.Containers[i].SecurityContext = nil
		}
		if err := admit(t, pod); err == nil || !strings.Contains(err.Error(), "violates PodSecurity") {
			t.Errorf("%s without a security context: %v", pod.Name, err)
		}
	}
}

// TestNATSValues_Admitted finds settings in nats-values.yaml with which the namespace refuses the pods of NATS'
// chart.
func TestNATSValues_Admitted(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "deploy/k8s/operators/nats-values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	type container struct{ Merge corev1.Container }
	var values struct {
		Container, Reloader container
		PodTemplate         struct{ Merge struct{ Spec corev1.PodSpec } }
	}
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	pod := corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "nats-0", Namespace: "capzone"},
		Spec:       values.PodTemplate.Merge.Spec,
	}
	for name, c := range map[string]container{"nats": values.Container, "reloader": values.Reloader} {
		c.Merge.Name, c.Merge.Image = name, name
		pod.Spec.Containers = append(pod.Spec.Containers, c.Merge)
	}
	if err := admit(t, pod); err != nil {
		t.Error(err)
	}
}

// templates returns a pod for the template of every deployment and job.
func templates(t *testing.T) (pods []corev1.Pod) {
	t.Helper()
	// A job has its template at the same place as a deployment.
	var workloads struct{ Items []batchv1.Job }
	text, err := kubectl(t.Context(), nil, "--namespace", "capzone", "get", "deployments,jobs", "--output", "json")
	if err == nil {
		err = json.Unmarshal([]byte(text), &workloads)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range workloads.Items {
		template := w.Spec.Template
		pods = append(pods, corev1.Pod{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: metav1.ObjectMeta{Name: "pod-" + w.Name, Namespace: "capzone", Labels: template.Labels},
			Spec:       template.Spec,
		})
	}
	return pods
}

// admit has the API server check a pod without storing it.
func admit(t *testing.T, pod corev1.Pod) error {
	t.Helper()
	text, err := json.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	_, err = kubectl(t.Context(), bytes.NewReader(text), "create", "--dry-run=server", "--filename", "-")
	return err
}
