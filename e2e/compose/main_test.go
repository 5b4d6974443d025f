// Package compose tests docker-compose.yml on a container engine of its own: confinement, networks, crashes of every
// container, replicas, upgrades, and backups, under the load of visitors whose records must not be lost.
//
// The tests take minutes, and run where COMPOSE is set: `make test-compose`. Engine, base images and caches of builds
// are kept in the folder that ENGINE names. Nothing runs any more when the tests have ended.
package compose

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/programs"
	"capzone.dev/e2e/site"
)

// neededBytes is the disk space that programs, images and caches of builds need, as long as none are there.
const neededBytes = 16 << 30

// The site under test.
var (
	running *deployment
	capzone *site.Site
	users   *community
	// services are the rows of deploy/services.yaml.
	services []programs.Service
)

func TestMain(m *testing.M) {
	if os.Getenv("COMPOSE") == "" {
		fmt.Println("these tests need a container engine and take minutes: make test-compose runs them")
		return
	}
	code, err := run(m)
	if reason := errCannotRun(""); errors.As(err, &reason) {
		fmt.Println("SKIPPED: the containers were not tested:", reason)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compose:", err)
		code = 1
	}
	os.Exit(code)
}

// errCannotRun is why no engine can run on this machine.
type errCannotRun string

func (e errCannotRun) Error() string { return string(e) }

func run(m *testing.M) (code int, err error) {
	ctx := context.Background()
	root, err := checkout.Root()
	if err != nil {
		return 1, err
	}
	if services, err = programs.Services(root); err != nil {
		return 1, err
	}
	folder := os.Getenv("ENGINE")
	if folder == "" {
		folder = filepath.Join(root, ".tools", "engine")
	}
	if err := checkMachine(folder); err != nil {
		return 1, err
	}
	engine := engine{folder: folder, scripts: filepath.Join(root, "deploy", "check", "engine")}
	if err := engine.start(ctx); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, engine.stop(ctx)) }()
	if running, err = deploy(ctx, engine, root); err != nil {
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
	if users, err = settle(ctx, capzone); err != nil {
		return 1, errors.Join(err, running.showLogs(ctx))
	}
	if code = m.Run(); code != 0 {
		err = running.showLogs(ctx)
	}
	return code, err
}

// checkMachine returns an errCannotRun where no engine can run or there is no room for it.
func checkMachine(folder string) error {
	if os.Geteuid() != 0 {
		return errCannotRun("an engine runs as root only")
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errCannotRun("containerd and the base images are made from Debian's packages, and this is no Debian")
	}
	if output, err := exec.Command("unshare", "--mount", "--net", "--pid", "--fork", "true").CombinedOutput(); err != nil {
		return errCannotRun(fmt.Sprintf("this process may not create containers: %s", bytes.TrimSpace(output)))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return err
	}
	_, absent := os.Stat(filepath.Join(folder, "data", "buildkit"))
	if free := int64(disk.Bavail) * disk.Bsize; absent != nil && free < neededBytes {
		return errCannotRun(fmt.Sprintf("%s has %d GiB of room, and %d are needed", folder, free>>30, neededBytes>>30))
	}
	return nil
}
