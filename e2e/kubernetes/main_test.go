// Package kubernetes runs the site on a Kubernetes node of the tests' own, from deploy/k8s/trial: its bring-up, the
// main job, scaling, rollouts, faults, confinement, policies, and backups, under the load of visitors whose records
// must not be lost.
//
// The tests take minutes, and run where K8S is set: `make test-k8s`. The node's programs are kept in the folder that
// NODE names, and images in the one of ENGINE. Nothing runs any more when the tests have ended.
package kubernetes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/programs"
	"capzone.dev/e2e/internal/engine"
	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/site"
)

const (
	// address is the gateway's (site/addresses.yaml).
	address = "http://10.96.100.1"
	// neededBytes is the disk space for the node's programs, the modules that they are built from, and images.
	neededBytes = 10 << 30
	// upTimeout is how long the site may take to be up.
	upTimeout = 10 * time.Minute
)

// The site under test.
var (
	root    string // the sources
	cluster node
	capzone *site.Site
	users   *load.Community
	// services are the rows of deploy/services.yaml.
	services []programs.Service
)

func TestMain(m *testing.M) { engine.Main(m, "K8S", "make test-k8s", run) }

func run(m *testing.M) (code int, err error) {
	ctx := context.Background()
	if root, err = checkout.Root(); err != nil {
		return 1, err
	}
	if services, err = programs.Services(root); err != nil {
		return 1, err
	}
	docker := engine.New(root)
	cluster = node{
		folder:  cmp.Or(os.Getenv("NODE"), filepath.Join(root, ".tools", "node")),
		scripts: filepath.Join(root, "e2e", "kubernetes", "node"),
		docker:  docker,
	}
	if os.Getenv(insideNode) != "" {
		return runInside(ctx, m)
	}
	if _, err := os.Stat("/sys/fs/cgroup/memory"); err != nil {
		return 1, engine.CannotRunError("the node needs control groups of version 1")
	}
	if err := docker.Check(ctx, neededBytes); err != nil {
		return 1, err
	}
	if err := docker.Start(ctx); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, docker.Stop(ctx)) }()
	if cluster.site, err = docker.CopySources(ctx); err != nil {
		return 1, err
	}
	if err := makeSecrets(ctx, cluster.site); err != nil {
		return 1, err
	}
	began := time.Now()
	if err := docker.BuildImages(ctx, cluster.site); err != nil {
		return 1, err
	}
	fmt.Printf("the images were built in %.0f s\n", time.Since(began).Seconds())
	defer func() { err = errors.Join(err, cluster.stop(ctx)) }()
	if err := cluster.start(ctx); err != nil {
		return 1, err
	}
	return cluster.runTests(ctx)
}

// makeSecrets makes the passwords and keys as an operator does.
func makeSecrets(ctx context.Context, folder string) error {
	_, err := engine.Output(exec.CommandContext(ctx, filepath.Join(folder, "deploy", "docker", "init.sh"), address))
	return err
}

// insideNode is set where the tests run in the network of a pod, to the folder of the deployment.
const insideNode = "K8S_SITE"

// runInside runs the tests as a client that the policies let in.
func runInside(ctx context.Context, m *testing.M) (code int, err error) {
	cluster.site = os.Getenv(insideNode)
	began := time.Now()
	if err := bringUp(ctx); err != nil {
		return 1, errors.Join(err, cluster.showState(ctx))
	}
	fmt.Printf("the site was up after %.0f s\n", time.Since(began).Seconds())
	capzone = site.New(address)
	if users, err = load.Settle(ctx, capzone); err != nil {
		return 1, errors.Join(err, cluster.showState(ctx))
	}
	if code = m.Run(); code != 0 {
		err = cluster.showState(ctx)
	}
	return code, err
}

// bringUp brings the site up by the commands of docs/operations.md.
func bringUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, upTimeout)
	defer cancel()
	namespace := filepath.Join(root, "deploy/k8s/base/namespace.yaml")
	if _, err := cluster.kubectl(ctx, "apply", "--filename", namespace); err != nil {
		return err
	}
	if err := cluster.applySecrets(ctx); err != nil {
		return err
	}
	if err := cluster.applySite(ctx); err != nil {
		return err
	}
	return cluster.awaitSite(ctx)
}
