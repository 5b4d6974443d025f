package check

import (
	"maps"
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
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

// render runs kustomize and reads its output as Kubernetes does when configured to be strict: a field that is unknown,
// or of another type, is an error.
func render(t *testing.T, folder string) (c cluster) {
	t.Helper()
	rendered, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(),
		filepath.Join(root, "deploy/k8s", folder))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]any{
		"apps/v1/Deployment": &c.deployments, "v1/Service": &c.services, "batch/v1/Job": &c.jobs, "v1/ConfigMap": &c.configs,
		"policy/v1/PodDisruptionBudget": &c.budgets, "networking.k8s.io/v1/NetworkPolicy": &c.policies,
		"networking.k8s.io/v1/Ingress": &c.ingresses,
		"v1/ServiceAccount":            &map[string]corev1.ServiceAccount{}, "v1/Namespace": &map[string]corev1.Namespace{},
		"autoscaling/v2/HorizontalPodAutoscaler": &map[string]autoscalingv2.HorizontalPodAutoscaler{},
	}
	for _, resource := range rendered.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		kind := resource.GetGvk().ApiVersion() + "/" + resource.GetKind()
		objects := reflect.Indirect(reflect.ValueOf(kinds[kind]))
		if !objects.IsValid() {
			t.Errorf("%s %s: no such kind is expected", kind, resource.GetName())
			continue
		}
		if objects.IsNil() {
			objects.Set(reflect.MakeMap(objects.Type()))
		}
		object := reflect.New(objects.Type().Elem())
		if err := yaml.UnmarshalStrict(text, object.Interface()); err != nil {
			t.Errorf("%s %s: %v", kind, resource.GetName(), err)
		}
		objects.SetMapIndex(reflect.ValueOf(resource.GetName()), object.Elem())
	}
	return c
}

// programNames returns the names of what serves permanently, in their order.
func programNames(t *testing.T) []string {
	t.Helper()
	return slices.Sorted(slices.Values(append(serviceNames(t, anyService), "bot", "gateway")))
}

func TestOverlays_Rendered(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"base", "production"} {
		c := render(t, folder)
		if diff := cmp.Diff(programNames(t), slices.Sorted(maps.Keys(c.deployments))); diff != "" {
			t.Errorf("%s: deployments (-want +got):\n%s", folder, diff)
		}
		if diff := cmp.Diff([]string{"provision"}, slices.Sorted(maps.Keys(c.jobs))); diff != "" {
			t.Errorf("%s: jobs (-want +got):\n%s", folder, diff)
		}
	}
}

// pods are the templates of everything that runs.
func (c cluster) pods() map[string]corev1.PodTemplateSpec {
	all := map[string]corev1.PodTemplateSpec{}
	for name, d := range c.deployments {
		all[name] = d.Spec.Template
	}
	for name, j := range c.jobs {
		all[name] = j.Spec.Template
	}
	return all
}

func TestOverlays_Selectors(t *testing.T) {
	t.Parallel()
	c := render(t, "production")
	for _, name := range programNames(t) {
		d := c.deployments[name]
		labels := d.Spec.Template.Labels
		selectors := map[string]map[string]string{
			"the deployment": d.Spec.Selector.MatchLabels, "the service": c.services[name].Spec.Selector,
			"the disruption budget": c.budgets[name].Spec.Selector.MatchLabels,
			"the network policy":    c.policies[name].Spec.PodSelector.MatchLabels,
		}
		for i, spread := range d.Spec.Template.Spec.TopologySpreadConstraints {
			selectors["spread "+strconv.Itoa(i)] = spread.LabelSelector.MatchLabels
		}
		for what, selector := range selectors {
			if len(selector) == 0 || !within(selector, labels) {
				t.Errorf("%s of %s selects %v, its pods have %v", what, name, selector, labels)
			}
		}
		ports := map[string]int32{}
		for _, port := range d.Spec.Template.Spec.Containers[0].Ports {
			ports[port.Name] = port.ContainerPort
		}
		if diff := cmp.Diff(map[string]int32{"http": 8080, "ops": 9090}, ports); diff != "" {
			t.Errorf("%s: ports (-want +got):\n%s", name, diff)
		}
		for _, port := range c.services[name].Spec.Ports {
			if ports[port.TargetPort.StrVal] == 0 {
				t.Errorf("the service %s leads to %q, which no container has", name, port.TargetPort.StrVal)
			}
		}
		container := d.Spec.Template.Spec.Containers[0]
		for what, probe := range map[string]*corev1.Probe{"/healthz": container.LivenessProbe,
			"/readyz": container.ReadinessProbe} {
			if probe.HTTPGet.Path != what || probe.HTTPGet.Port.StrVal != "ops" {
				t.Errorf("%s is probed at %+v, want %s", name, probe.HTTPGet, what)
			}
		}
	}
	backend := c.ingresses["capzone"].Spec.Rules[0].HTTP.Paths[0].Backend.Service
	if backend.Name != "gateway" || !slices.ContainsFunc(c.services["gateway"].Spec.Ports,
		func(p corev1.ServicePort) bool { return p.Name == backend.Port.Name }) {
		t.Errorf("the ingress leads to %+v", backend)
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

// TestOverlays_Variables expects that pods get the variables of the Compose file's containers, besides what only one of
// the two has.
func TestOverlays_Variables(t *testing.T) {
	t.Parallel()
	c := render(t, "production")
	compose := shared(t).project().Services
	for name, pod := range c.pods() {
		var got []string
		container := pod.Spec.Containers[0]
		for _, from := range container.EnvFrom {
			shared := from.ConfigMapRef
			if shared == nil || shared.Name != "capzone" && (shared.Name != "services" || name != "gateway") {
				t.Errorf("%s reads %+v", name, from)
				continue
			}
			got = slices.AppendSeq(got, maps.Keys(c.configs[shared.Name].Data))
		}
		for _, variable := range container.Env {
			got = append(got, variable.Name)
			secret := strings.HasSuffix(variable.Name, "_SECRET_KEY") ||
				strings.HasSuffix(variable.Name, "_PASSWORD") ||
				slices.Contains([]string{"DATABASE_URL", "MIGRATION_DATABASE_URL", "NATS_URL", "REDIS_URL"}, variable.Name)
			fromSecret := variable.ValueFrom != nil && variable.ValueFrom.SecretKeyRef != nil &&
				variable.ValueFrom.SecretKeyRef.Name == "capzone-"+name
			if secret != fromSecret {
				t.Errorf("%s: %s comes from a secret of its own: %v", name, variable.Name, fromSecret)
			}
		}
		for variable := range compose[name].Environment {
			optional := slices.Contains([]string{"REQUESTS_PER_MINUTE", "LOGINS_PER_MINUTE", "SUBMISSIONS_PER_HOUR",
				"ROOMS_PER_HOUR", "ROOMS_PER_ADDRESS", "PAGE_CACHE_MB", "DELETION_DAYS",
				"BOT_SITE_NAME", "BOT_CONTACT"}, variable) ||
				strings.HasPrefix(variable, "OTEL_") || strings.HasPrefix(variable, "BOT_ROOMS") ||
				strings.HasPrefix(variable, "BOT_GAME_") || strings.HasPrefix(variable, "POINTS_")
			if !slices.Contains(got, variable) && !optional {
				t.Errorf("%s lacks %s, which its container has with Compose", name, variable)
			}
		}
		for _, variable := range container.Env {
			_, known := compose[name].Environment[variable.Name]
			if !known && variable.Name != "NATS_REPLICAS" {
				t.Errorf("%s has %s, which no container knows", name, variable.Name)
			}
			if variable.Name != "GOMEMLIMIT" {
				continue
			}
			aim, err := resource.ParseQuantity(strings.TrimSuffix(variable.Value, "B"))
			if err != nil || aim.Cmp(*container.Resources.Limits.Memory()) >= 0 {
				t.Errorf("%s: the collector aims at %s, the limit is %s (%v)", name, variable.Value,
					container.Resources.Limits.Memory(), err)
			}
		}
		for _, volume := range pod.Spec.Volumes {
			if volume.Secret != nil && volume.Secret.SecretName != "capzone-"+name {
				t.Errorf("%s mounts the secret %s", name, volume.Secret.SecretName)
			}
			if !slices.ContainsFunc(
				container.VolumeMounts,
				func(m corev1.VolumeMount) bool { return m.Name == volume.Name },
			) {
				t.Errorf("%s mounts %s nowhere", name, volume.Name)
			}
		}
	}
}

// TestTrustedProxies shows that only single addresses are trusted to name a visitor's address: every pod of a
// whole network could otherwise claim any address, and so escape the limits or use up those of others.
func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	for prefix := range strings.SplitSeq(render(t, "production").configs["capzone"].Data["TRUSTED_PROXIES"], ",") {
		network, err := netip.ParsePrefix(prefix)
		if err != nil || !network.IsSingleIP() {
			t.Errorf("the manifests trust %s (%v), want single addresses", prefix, err)
		}
	}
}
