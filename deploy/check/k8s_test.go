package check

import (
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// cluster has objects that an overlay makes, by name.
type cluster struct {
	deployments map[string]appsv1.Deployment
	services    map[string]corev1.Service
	jobs        map[string]batchv1.Job
	configs     map[string]corev1.ConfigMap
	budgets     map[string]policyv1.PodDisruptionBudget
	policies    map[string]networkingv1.NetworkPolicy
	ingresses   map[string]networkingv1.Ingress
}

// render runs kustomize and decodes its output strictly: an unknown field, or one of another type, is an error.
// (kubeconform would do the same with schemas, but downloads them when it runs.)
func render(t *testing.T, folder string) cluster {
	t.Helper()
	rendered, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(),
		filepath.Join(root, "deploy/k8s", folder))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]map[string][]byte{}
	for _, resource := range rendered.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		kind := resource.GetGvk().ApiVersion() + "/" + resource.GetKind()
		if texts[kind] == nil {
			texts[kind] = map[string][]byte{}
		}
		texts[kind][resource.GetName()] = text
	}
	c := cluster{
		deployments: collect[appsv1.Deployment](t, texts, "apps/v1/Deployment"),
		services:    collect[corev1.Service](t, texts, "v1/Service"),
		jobs:        collect[batchv1.Job](t, texts, "batch/v1/Job"),
		configs:     collect[corev1.ConfigMap](t, texts, "v1/ConfigMap"),
		budgets:     collect[policyv1.PodDisruptionBudget](t, texts, "policy/v1/PodDisruptionBudget"),
		policies:    collect[networkingv1.NetworkPolicy](t, texts, "networking.k8s.io/v1/NetworkPolicy"),
		ingresses:   collect[networkingv1.Ingress](t, texts, "networking.k8s.io/v1/Ingress"),
	}
	collect[corev1.ServiceAccount](t, texts, "v1/ServiceAccount")
	collect[corev1.Namespace](t, texts, "v1/Namespace")
	collect[autoscalingv2.HorizontalPodAutoscaler](t, texts, "autoscaling/v2/HorizontalPodAutoscaler")
	for kind, objects := range texts {
		t.Errorf("%s %v: no such kind is expected", kind, slices.Sorted(maps.Keys(objects)))
	}
	return c
}

// collect decodes the objects of a kind and removes them from texts.
func collect[T any](t *testing.T, texts map[string]map[string][]byte, kind string) map[string]T {
	t.Helper()
	objects := map[string]T{}
	for name, text := range texts[kind] {
		var object T
		if err := yaml.UnmarshalStrict(text, &object); err != nil {
			t.Errorf("%s %s: %v", kind, name, err)
		}
		objects[name] = object
	}
	delete(texts, kind)
	return objects
}

// programNames returns the names of what serves permanently, in their order.
func programNames(t *testing.T) []string {
	t.Helper()
	return slices.Sorted(slices.Values(append(serviceNames(t, anyService), "bot", "gateway")))
}

// TestOverlays_Rendered finds misspelt fields, and a program without a deployment.
func TestOverlays_Rendered(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"base", "production"} {
		c := render(t, folder)
		if diff := cmp.Diff(programNames(t), slices.Sorted(maps.Keys(c.deployments))); diff != "" || len(c.jobs) != 1 {
			t.Errorf("%s: %d jobs, deployments (-want +got):\n%s", folder, len(c.jobs), diff)
		}
	}
}

// TestOverlays_Selectors finds services, policies, budgets and probes that reach no pod, or another one's.
func TestOverlays_Selectors(t *testing.T) {
	t.Parallel()
	c := render(t, "production")
	for _, name := range programNames(t) {
		d, pod := c.deployments[name], c.deployments[name].Spec.Template
		selectors := []map[string]string{
			d.Spec.Selector.MatchLabels, c.services[name].Spec.Selector,
			c.budgets[name].Spec.Selector.MatchLabels, c.policies[name].Spec.PodSelector.MatchLabels,
		}
		for _, spread := range pod.Spec.TopologySpreadConstraints {
			selectors = append(selectors, spread.LabelSelector.MatchLabels)
		}
		for i, selector := range selectors {
			if len(selector) == 0 || !within(selector, pod.Labels) {
				t.Errorf("%s: selector %d is %v, its pods have %v", name, i, selector, pod.Labels)
			}
		}
		container := pod.Spec.Containers[0]
		for _, port := range c.services[name].Spec.Ports {
			if !slices.ContainsFunc(container.Ports,
				func(p corev1.ContainerPort) bool { return p.Name == port.TargetPort.StrVal }) {
				t.Errorf("the service %s leads to %q, which no container has", name, port.TargetPort.StrVal)
			}
		}
		if live, ready := container.LivenessProbe.HTTPGet, container.ReadinessProbe.HTTPGet; live.Path != "/healthz" ||
			ready.Path != "/readyz" || live.Port.StrVal != "ops" || ready.Port.StrVal != "ops" {
			t.Errorf("%s is probed at %v and %v", name, live, ready)
		}
	}
	if to := c.ingresses["capzone"].Spec.Rules[0].HTTP.Paths[0].Backend.Service; to.Name != "gateway" {
		t.Errorf("the ingress leads to %+v", to)
	}
	// The gateway balances over all replicas of these.
	for _, name := range serviceNames(t, anyService) {
		if s := c.services[name].Spec; s.ClusterIP != corev1.ClusterIPNone || !s.PublishNotReadyAddresses {
			t.Errorf("%s has one address for all its pods, or hides some", name)
		}
	}
}

func within(part, whole map[string]string) bool {
	for key, value := range part {
		if whole[key] != value {
			return false
		}
	}
	return true
}

// onlyCompose are variables that operators may set in .env and that the manifests leave at their defaults.
var onlyCompose = []string{"REQUESTS_PER_", "LOGINS_PER_", "SUBMISSIONS_PER_", "ROOMS_PER_", "PAGE_CACHE_MB",
	"DELETION_DAYS", "BOT_SITE_NAME", "BOT_CONTACT", "OTEL_", "BOT_ROOMS", "BOT_GAME_", "POINTS_"}

// TestOverlays_Variables finds variables that only the Compose file has, or only the manifests, passwords outside of a
// program's own secret, and a memory aim above the limit.
func TestOverlays_Variables(t *testing.T) {
	t.Parallel()
	c := render(t, "production")
	pods := map[string]corev1.PodSpec{"provision": c.jobs["provision"].Spec.Template.Spec}
	for name, d := range c.deployments {
		pods[name] = d.Spec.Template.Spec
	}
	containers := shared(t).project().Services
	for name, pod := range pods {
		container, compose := pod.Containers[0], containers[name].Environment
		got := map[string]bool{}
		for _, from := range container.EnvFrom {
			for variable := range c.configs[from.ConfigMapRef.Name].Data {
				got[variable] = true
			}
		}
		for _, variable := range container.Env {
			got[variable.Name] = true
			secret := variable.ValueFrom != nil && variable.ValueFrom.SecretKeyRef.Name == "capzone-"+name
			if secret != secretSetting.MatchString(variable.Name) && !strings.HasSuffix(variable.Name, "_FILE") &&
				!strings.HasSuffix(variable.Name, "_ACCESS_KEY") {
				t.Errorf("%s: %s comes from a secret of its own: %v", name, variable.Name, secret)
			}
			if _, known := compose[variable.Name]; !known && variable.Name != "NATS_REPLICAS" {
				t.Errorf("%s has %s, which no container knows", name, variable.Name)
			}
			if variable.Name == "GOMEMLIMIT" {
				aim, err := resource.ParseQuantity(strings.TrimSuffix(variable.Value, "B"))
				if limit := container.Resources.Limits.Memory(); err != nil || aim.Cmp(*limit) >= 0 {
					t.Errorf("%s: the collector aims at %s, the limit is %s", name, variable.Value, limit)
				}
			}
		}
		for variable := range compose {
			if !got[variable] && !slices.ContainsFunc(onlyCompose,
				func(prefix string) bool { return strings.HasPrefix(variable, prefix) }) {
				t.Errorf("%s lacks %s, which its container has with Compose", name, variable)
			}
		}
		for _, volume := range pod.Volumes {
			if volume.Secret != nil && volume.Secret.SecretName != "capzone-"+name {
				t.Errorf("%s mounts the secret %s", name, volume.Secret.SecretName)
			}
		}
	}
}

// TestTrustedProxies finds whole networks among the trusted addresses: every pod of them could claim any visitor's.
func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	for prefix := range strings.SplitSeq(render(t, "production").configs["capzone"].Data["TRUSTED_PROXIES"], ",") {
		network, err := netip.ParsePrefix(prefix)
		if err != nil || !network.IsSingleIP() {
			t.Errorf("the manifests trust %s (%v), want single addresses", prefix, err)
		}
	}
}

// TestNetworkPolicies_BothEnds finds a connection that one program may open and the other one may not accept, or the
// other way round.
func TestNetworkPolicies_BothEnds(t *testing.T) {
	t.Parallel()
	var sent, received []string
	programs := map[string]bool{}
	for _, p := range render(t, "production").policies {
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
