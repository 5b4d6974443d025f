package kubernetes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"capzone.dev/e2e/internal/engine"
	"capzone.dev/e2e/internal/load"
)

// node is a Kubernetes node with the site.
type node struct {
	folder  string // its programs and its data
	scripts string
	docker  engine.Engine
	site    string // a copy of the sources, with secrets
}

// images are what the site and the node consist of.
var images = []string{
	"capzone/gateway:local", "capzone/services:local", "capzone/bot:local", "capzone/provision:local",
	"capzone/nats:local", "capzone/minio:local", "capzone/backup:local", "postgres:18.6-alpine",
	"valkey/valkey:8.1.11-alpine3.24", "localhost/coredns:1", "localhost/pause:1",
}

// script returns a command that runs a script of the node.
func (n node) script(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	command := n.docker.Command(ctx, filepath.Join(n.scripts, name), arguments...)
	command.Env = append(command.Env, "NODE="+n.folder)
	return command
}

// start builds the node's programs where they are missing, and starts a new node with the images. A second tag of the
// programs' images is another version.
func (n node) start(ctx context.Context) error {
	build := n.script(ctx, "programs.sh")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("programs.sh: %w", err)
	}
	if err := n.stop(ctx); err != nil { // one that an earlier run left behind when it was killed
		return err
	}
	if _, err := engine.Output(n.script(ctx, "node.sh", "start")); err != nil {
		return err
	}
	if _, err := engine.Output(n.script(ctx, "images.sh")); err != nil {
		return err
	}
	all := images
	for _, image := range images[:3] {
		next := strings.Replace(image, ":local", ":next", 1)
		if _, err := n.docker.Docker(ctx, "tag", image, next); err != nil {
			return err
		}
		all = append(all, next)
	}
	load := n.script(ctx, "node.sh", "load")
	save := n.docker.Command(ctx, "docker", append([]string{"save"}, all...)...)
	archive, err := save.StdoutPipe()
	if err != nil {
		return err
	}
	load.Stdin = archive
	if err := save.Start(); err != nil {
		return err
	}
	_, err = engine.Output(load)
	return errors.Join(err, save.Wait())
}

func (n node) stop(ctx context.Context) error {
	_, err := engine.Output(n.script(ctx, "node.sh", "stop"))
	return err
}

// runTests runs this program again in the network of a pod in a namespace of an ingress controller, whose connections
// policies apply to.
func (n node) runTests(ctx context.Context) (code int, err error) {
	if err := n.apply(ctx, namespace("ingress")+standIn("ingress", "ingress")); err != nil {
		return 1, err
	}
	_, err = n.kubectl(ctx, "wait", "--for=condition=Ready", "--timeout=2m", "--namespace=ingress", "pod", "--all")
	if err != nil {
		return 1, errors.Join(err, n.showState(ctx))
	}
	client, err := n.pods(ctx, "ingress", "")
	if err != nil {
		return 1, err
	}
	pid, err := client[0].pid()
	if err != nil {
		return 1, err
	}
	program, err := os.Executable()
	if err != nil {
		return 1, err
	}
	tests := exec.CommandContext(ctx, "nsenter", append([]string{"--target", strconv.Itoa(pid), "--net", program},
		os.Args[1:]...)...)
	tests.Env = append(os.Environ(), insideNode+"="+n.site)
	tests.Stdout, tests.Stderr = os.Stdout, os.Stderr
	err = tests.Run()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return failed.ExitCode(), nil
	}
	return 0, err
}

// kubectl runs Kubernetes' client as the administrator and returns its standard output.
func (n node) kubectl(ctx context.Context, arguments ...string) (string, error) {
	return engine.Output(n.client(ctx, arguments...))
}

// client returns a command that runs Kubernetes' client in the node's network.
func (n node) client(ctx context.Context, arguments ...string) *exec.Cmd {
	pid, err := os.ReadFile(filepath.Join(n.folder, "run", "pid"))
	if err != nil {
		pid = []byte("0") // which is reported when the command runs
	}
	return exec.CommandContext(ctx, "nsenter", append([]string{
		"--target", strings.TrimSpace(string(pid)), "--net", filepath.Join(n.folder, "bin", "kubectl"),
		"--kubeconfig", filepath.Join(n.folder, "state", "admin.conf"),
	}, arguments...)...)
}

// mustKubectl is kubectl in the site's namespace, for a test.
func (n node) mustKubectl(t *testing.T, arguments ...string) string {
	t.Helper()
	text, err := n.kubectl(t.Context(), append([]string{"--namespace", "capzone"}, arguments...)...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// apply applies manifests.
func (n node) apply(ctx context.Context, manifests string) error {
	command := n.client(ctx, "apply", "--filename", "-")
	command.Stdin = strings.NewReader(manifests)
	_, err := engine.Output(command)
	return err
}

// applySecrets applies what the operators' script makes of the secrets.
func (n node) applySecrets(ctx context.Context) error {
	secrets, err := engine.Output(exec.CommandContext(ctx, filepath.Join(n.site, "deploy", "k8s", "secrets.sh"), "trial"))
	if err != nil {
		return err
	}
	return n.apply(ctx, secrets)
}

// applySite applies the manifests of the site.
func (n node) applySite(ctx context.Context) error {
	_, err := n.kubectl(ctx, "apply", "--kustomize", filepath.Join(root, "e2e", "kubernetes", "site"))
	return err
}

// awaitSite waits until the jobs are done and every pod is ready.
func (n node) awaitSite(ctx context.Context) error {
	for _, arguments := range [][]string{
		{"wait", "--for=condition=Complete", "--timeout=10m", "job/provision", "job/provision-storage"},
		{"rollout", "status", "--timeout=10m", "statefulset"},
		{"wait", "--for=condition=Available", "--timeout=10m", "deployment", "--all"},
		{"wait", "--for=condition=Ready", "--timeout=10m", "pod", "--selector=!job-name"},
	} {
		if _, err := n.kubectl(ctx, append([]string{"--namespace", "capzone"}, arguments...)...); err != nil {
			return err
		}
	}
	return nil
}

// showState prints what there is, and the ends of the logs.
func (n node) showState(ctx context.Context) error {
	for _, arguments := range [][]string{
		{"get", "pods,jobs,persistentvolumeclaims", "--all-namespaces", "--output", "wide"},
		{"get", "events", "--namespace=capzone", "--sort-by=.lastTimestamp", "--field-selector=type!=Normal"},
		{"logs", "--namespace=capzone", "--selector=app.kubernetes.io/part-of=capzone", "--tail=15", "--prefix",
			"--ignore-errors", "--max-log-requests=30"},
	} {
		text, err := n.kubectl(ctx, arguments...)
		fmt.Println(text)
		if err != nil {
			return err
		}
	}
	return nil
}

// pod is what the API server reports of a pod.
type pod struct {
	Metadata struct {
		Name, UID string
		Labels    map[string]string
		Deleted   *time.Time `json:"deletionTimestamp"`
	}
	Spec struct {
		SecurityContext struct{ RunAsUser int }
		Containers      []struct {
			Resources struct{ Limits struct{ Memory string } }
		}
	}
	Status struct {
		Phase             string
		PodIP             string
		ContainerStatuses []struct {
			ContainerID  string
			RestartCount int
			Ready        bool
		}
	}
}

// name is the name of the program or the server.
func (p pod) name() string {
	switch {
	case p.Metadata.Labels["cnpg.io/cluster"] != "":
		return "postgres"
	case p.Metadata.Labels["v1.min.io/tenant"] != "":
		return "minio"
	default:
		return p.Metadata.Labels["app.kubernetes.io/name"]
	}
}

func (p pod) isServing() bool {
	return p.Metadata.Deleted == nil && p.Status.Phase == "Running" && len(p.Status.ContainerStatuses) > 0 &&
		p.Status.ContainerStatuses[0].Ready
}

// pid returns the first process of the pod's container, which is found by its control group.
func (p pod) pid() (int, error) {
	_, id, _ := strings.Cut(p.Status.ContainerStatuses[0].ContainerID, "://")
	files, err := filepath.Glob("/proc/[0-9]*/cgroup")
	if err != nil || id == "" {
		return 0, fmt.Errorf("%s has no container: %w", p.Metadata.Name, err)
	}
	lowest := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), id) {
			continue // it may have ended
		}
		pid, err := strconv.Atoi(strings.Split(file, "/")[2])
		if err == nil && (lowest == 0 || pid < lowest) {
			lowest = pid
		}
	}
	if lowest == 0 {
		return 0, fmt.Errorf("%s has no process", p.Metadata.Name)
	}
	return lowest, nil
}

// pods returns the pods of a namespace that a selector chooses, without those of jobs, in the order of their names.
func (n node) pods(ctx context.Context, namespace, selector string) ([]pod, error) {
	text, err := n.kubectl(ctx, "get", "pods", "--namespace", namespace, "--selector", selector, "--output", "json")
	if err != nil {
		return nil, err
	}
	var list struct{ Items []pod }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list.Items, func(p pod) bool { return p.Metadata.Labels["job-name"] != "" }), nil
}

// podsOf returns the pods of a program or a server, or of all.
func podsOf(t *testing.T, names ...string) []pod {
	t.Helper()
	list, err := cluster.pods(t.Context(), "capzone", "")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(p pod) bool { return len(names) > 0 && !slices.Contains(names, p.name()) })
}

// awaitPods waits until a program or a server has so many pods, and all of them serve.
func awaitPods(t *testing.T, name string, count int) []pod {
	t.Helper()
	var list []pod
	load.Await(t, fmt.Sprintf("%d pods of %s", count, name), func() bool {
		list = podsOf(t, name)
		return len(list) == count && !slices.ContainsFunc(list, func(p pod) bool { return !p.isServing() })
	})
	return list
}

// programNames returns the names of the deployments.
func programNames() []string {
	names := []string{"bot", "gateway"}
	for _, s := range services {
		names = append(names, s.Name)
	}
	return names
}

// namespace returns a namespace of a role that policies name.
func namespace(role string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Namespace
metadata: {name: %[1]s, labels: {capzone.dev/role: %[1]s}}
---
`, role)
}

// standIn returns a pod that does nothing, and from whose network others connect.
func standIn(namespace, name string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata:
  name: stand-in-%[2]s
  namespace: %[1]s
  labels: {stand-in: "yes", app.kubernetes.io/name: %[2]s, app.kubernetes.io/part-of: capzone}
spec:
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 0
  securityContext: {runAsNonRoot: true, runAsUser: 65532, seccompProfile: {type: RuntimeDefault}}
  containers:
    - name: pause
      image: localhost/pause:1
      securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
---
`, namespace, name)
}
