package realservers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/debian"
)

const (
	// PostgreSQLHome is where Debian keeps the oldest PostgreSQL that is supported.
	PostgreSQLHome = "/usr/lib/postgresql/15"
	redisProgram   = "/usr/bin/redis-server"

	natsModule  = "github.com/nats-io/nats-server/v2@v2.15.2"
	minioModule = "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c"
)

// Install brings whatever is absent onto this machine: packages where this
// process is root on a system with apt, programs built from their modules into
// the user's cache folder. It says what to do where it cannot.
func Install(ctx context.Context) error {
	if err := installPackages(ctx); err != nil {
		return err
	}
	for _, module := range []string{natsModule, minioModule} {
		if err := build(ctx, module); err != nil {
			return err
		}
	}
	return nil
}

// installPackages installs what Debian has.
func installPackages(ctx context.Context) error {
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
	return debian.Install(ctx, missing...)
}

// build builds the program of a module once per user and version.
func build(ctx context.Context, module string) error {
	target, err := program(module)
	if err != nil {
		return err
	}
	unlock, err := checkout.Lock(target + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(target); err == nil {
		return nil
	}
	fmt.Fprintf(os.Stderr, "building %s (once, may take some minutes)\n", module)
	folder, err := os.MkdirTemp(filepath.Dir(target), "build-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	// As the images of deploy/docker are built.
	command := exec.CommandContext(ctx, "go", "install", "-trimpath", "-ldflags=-s", "-tags=kqueue", module)
	command.Dir = folder // outside of any module and workspace
	command.Env = append(os.Environ(), "GOBIN="+folder, "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go install %s: %w\n%s", module, err, strings.TrimSpace(string(output)))
	}
	return os.Rename(filepath.Join(folder, commandName(module)), target)
}

// program is where the program of a module is built to.
func program(module string) (string, error) {
	folder, err := checkout.Cache()
	if err != nil {
		return "", err
	}
	_, version, _ := strings.Cut(module, "@")
	return filepath.Join(folder, commandName(module)+"-"+version), nil
}

// built is program, once it is there.
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

// commandName is what `go install` calls the program of a module.
func commandName(module string) string {
	path, _, _ := strings.Cut(module, "@")
	path = strings.TrimSuffix(path, "/v2")
	return path[strings.LastIndexByte(path, '/')+1:]
}
