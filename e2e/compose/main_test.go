// Package compose tests docker-compose.yml on a container engine of its own: confinement, networks, crashes of every
// container, replicas, upgrades, and backups, under the load of visitors whose records must not be lost.
//
// The tests take minutes, and run where COMPOSE is set: `make test-compose`. Engine, base images and caches of builds
// are kept in the folder that ENGINE names. Nothing runs any more when the tests have ended.
package compose

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/programs"
	"capzone.dev/e2e/internal/engine"
	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/site"
)

// The site under test.
var (
	running *deployment
	capzone *site.Site
	users   *load.Community
	// services are the rows of deploy/services.yaml.
	services []programs.Service
)

func TestMain(m *testing.M) { engine.Main(m, "COMPOSE", "make test-compose", run) }

func run(m *testing.M) (code int, err error) {
	ctx := context.Background()
	root, err := checkout.Root()
	if err != nil {
		return 1, err
	}
	if services, err = programs.Services(root); err != nil {
		return 1, err
	}
	engine := engine.New(root)
	if err := engine.Check(ctx, 0); err != nil {
		return 1, err
	}
	if err := engine.Start(ctx); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, engine.Stop(ctx)) }()
	if running, err = deploy(ctx, engine); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, running.removeAll(ctx)) }()
	began := time.Now()
	if err := running.build(ctx); err != nil {
		return 1, err
	}
	built := time.Now()
	if err := running.up(ctx); err != nil {
		return 1, errors.Join(err, running.showLogs(ctx))
	}
	fmt.Printf("the images were built in %.0f s, and the site was up after another %.0f s\n",
		built.Sub(began).Seconds(), time.Since(built).Seconds())
	capzone = site.New(running.address)
	if users, err = load.Settle(ctx, capzone); err != nil {
		return 1, errors.Join(err, running.showLogs(ctx))
	}
	if code = m.Run(); code != 0 {
		err = running.showLogs(ctx)
	}
	return code, err
}
