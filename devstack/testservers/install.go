package testservers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"capzone.dev/devstack/checkout"
)

const (
	// PostgreSQLHome is the folder of Debian's PostgreSQL 15, the oldest that is supported.
	PostgreSQLHome = "/usr/lib/postgresql/15"
	redisProgram   = "/usr/bin/redis-server"

	minioModule = "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c"
)

// Install installs what is absent: packages, where this process is root on a system with apt, and
// programs that are built from their modules into the user's cache folder.
func Install(ctx context.Context) error {
	if err := installMissing(ctx); err != nil {
		return err
	}
	return build(ctx, minioModule)
}

// installMissing installs the packages of programs that are absent.
func installMissing(ctx context.Context) error {
	var missing []string
	for program, name := range map[string]string{
		filepath.Join(PostgreSQLHome, "bin", "postgres"): "postgresql-15",
		redisProgram: "redis-server",
	} {
		if _, err := os.Stat(program); err != nil {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return InstallPackages(ctx, missing...)
}

// InstallPackages installs Debian packages. If this process is not root, or on another system, the error
// names what to install.
func InstallPackages(ctx context.Context, names ...string) error {
	wanted := strings.Join(names, " ")
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return fmt.Errorf("the Debian packages %s are needed: install them as root (apt-get install %[1]s)", wanted)
	}
	// apt-get does not wait for the lists that another apt-get updates.
	folder, err := checkout.Cache()
	if err != nil {
		return err
	}
	unlock, err := checkout.Lock(filepath.Join(folder, "apt.lock"))
	if err != nil {
		return err
	}
	defer unlock()
	for _, arguments := range [][]string{{"update", "-qq"},
		append([]string{"install", "-qq", "-y", "--no-install-recommends"}, names...)} {
		// Another process may be installing.
		command := exec.CommandContext(ctx, apt, append([]string{"-o", "DPkg::Lock::Timeout=300"}, arguments...)...)
		// In run level 1 no installed server is started.
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w\n%s", arguments[0], err, strings.TrimSpace(string(output)))
		}
	}
	return nil
}

// build builds the program of a module once per user and version.
func build(ctx context.Context, module string) error {
	target, err := program(module)
	if err != nil {
		return err
	}
	return checkout.Once(target, func(folder string) (string, error) {
		fmt.Fprintf(os.Stderr, "building %s (once, may take some minutes)\n", module)
		// The options are those of the images of deploy/docker.
		command := exec.CommandContext(ctx, "go", "install", "-trimpath", "-ldflags=-s", "-tags=kqueue", module)
		command.Dir = folder // outside of any module and workspace
		command.Env = append(os.Environ(), "GOBIN="+folder, "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
		if output, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go install %s: %w\n%s", module, err, strings.TrimSpace(string(output)))
		}
		return filepath.Join(folder, commandName(module)), nil
	})
}

// program returns the path that the program of a module is built to.
func program(module string) (string, error) {
	folder, err := checkout.Cache()
	if err != nil {
		return "", err
	}
	_, version, _ := strings.Cut(module, "@")
	return filepath.Join(folder, commandName(module)+"-"+version), nil
}

// built returns the path of a program that has been built.
func built(module string) (string, error) {
	path, err := program(module)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s is not built: `make test-real` does it", module)
	}
	return path, nil
}

// commandName returns the name that `go install` gives to the program of a module.
func commandName(module string) string {
	path, _, _ := strings.Cut(module, "@")
	return path[strings.LastIndexByte(path, '/')+1:]
}
