package cluster

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"capzone.dev/platform/event"
)

// TestManifests_Applied expects that the API server has every object, and that applying all of them again changes
// nothing.
func TestManifests_Applied(t *testing.T) {
	got := names(
		t,
		"deployments,jobs,horizontalpodautoscalers,poddisruptionbudgets,services,ingresses,networkpolicies,"+
			"podmonitors,prometheusrules,clusters.postgresql.cnpg.io,databases.postgresql.cnpg.io",
	)
	wanted := []string{
		"job.batch/provision", "ingress.networking.k8s.io/capzone",
		"horizontalpodautoscaler.autoscaling/records", "networkpolicy.networking.k8s.io/default-deny",
		"cluster.postgresql.cnpg.io/capzone", "database.postgresql.cnpg.io/capzone-records",
	}
	for _, p := range event.Programs() {
		wanted = append(wanted, "deployment.apps/"+p.Name)
	}
	for _, want := range wanted {
		if !slices.Contains(got, want) {
			t.Errorf("there is no %s among %v", want, got)
		}
	}
	before := versions(t)
	if _, err := kubectl(t.Context(), nil, "apply", "--server-side", "--kustomize",
		filepath.Join(root, "deploy/k8s/production")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, versions(t)); diff != "" {
		t.Errorf("objects that were applied again (-before +after):\n%s", diff)
	}
}

// names returns the objects of some kinds as KIND/NAME.
func names(t *testing.T, kinds string) []string {
	t.Helper()
	text, err := kubectl(t.Context(), nil, "--namespace", "capzone", "get", kinds, "--output", "name")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(text)
}

// versions returns the version of each deployment, service and policy.
func versions(t *testing.T) string {
	t.Helper()
	text, err := kubectl(t.Context(), nil, "--namespace", "capzone", "get",
		"deployments,services,networkpolicies,configmaps",
		"--output", `jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\n"}{end}`)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestPodTemplates_Admitted expects that the namespace, which enforces the pod security standard "restricted", admits a
// pod of every template, and refuses one that may gain privileges.
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

// TestNATSValues_Admitted expects that the namespace admits a pod with what nats-values.yaml sets for the pods and
// containers of NATS' chart.
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
	get(t, "deployments,jobs", &workloads)
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

// TestNetworkPolicies_BothEnds expects that what one program may send to another one, that one may receive, and the
// other way round.
func TestNetworkPolicies_BothEnds(t *testing.T) {
	var policies struct{ Items []networkingv1.NetworkPolicy }
	get(t, "networkpolicies", &policies)
	var sent, received []string
	programs := map[string]bool{}
	for _, p := range policies.Items {
		name := p.Spec.PodSelector.MatchLabels[nameLabel]
		programs[name] = true
		for _, rule := range p.Spec.Egress {
			sent = append(sent, flows(rule.To, rule.Ports,
				func(peer, port string) string { return name + " → " + peer + port })...)
		}
		for _, rule := range p.Spec.Ingress {
			received = append(received, flows(rule.From, rule.Ports,
				func(peer, port string) string { return peer + " → " + name + port })...)
		}
	}
	// The servers' own policies belong to their operators.
	ofOperators := func(flow string) bool {
		_, to, _ := strings.Cut(flow, " → ")
		to, _, _ = strings.Cut(to, ":")
		return !programs[to]
	}
	sent = slices.DeleteFunc(sent, ofOperators)
	slices.Sort(sent)
	slices.Sort(received)
	if len(sent) == 0 {
		t.Error("no program may send to another one")
	}
	if diff := cmp.Diff(sent, received); diff != "" {
		t.Errorf("connections (-may be opened +may be accepted):\n%s", diff)
	}
}

const nameLabel = "app.kubernetes.io/name"

// flows names the connections of a rule with the pods of this namespace.
func flows(peers []networkingv1.NetworkPolicyPeer, ports []networkingv1.NetworkPolicyPort,
	name func(peer, port string) string,
) (list []string) {
	for _, peer := range peers {
		if peer.PodSelector == nil || peer.PodSelector.MatchLabels[nameLabel] == "" {
			continue
		}
		for _, port := range ports {
			list = append(list, name(peer.PodSelector.MatchLabels[nameLabel], ":"+port.Port.String()))
		}
	}
	return list
}

// get reads objects of some kinds from the API server.
func get(t *testing.T, kinds string, into any) {
	t.Helper()
	text, err := kubectl(t.Context(), nil, "--namespace", "capzone", "get", kinds, "--output", "json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}
