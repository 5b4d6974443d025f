package testservers

import (
	"context"
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

	minioVersion = "v0.0.0-20260212201848-7aac2a2c5b7c"
)

// Install installs what is absent: Debian's packages, and programs that are built from their modules into the user's
// cache folder.
func Install(ctx context.Context) error {
	for program, name := range map[string]string{
		filepath.Join(PostgreSQLHome, "bin", "postgres"): "postgresql-15",
		redisProgram: "redis-server",
	} {
		if _, err := os.Stat(program); err != nil {
			if err := InstallPackage(ctx, name); err != nil {
				return err
			}
		}
	}
	_, err := buildMinIO(ctx)
	return err
}

// InstallPackage installs a Debian package. If this process is not root, or on another system, the error names it.
func InstallPackage(ctx context.Context, name string) error {
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	output, err := exec.CommandContext(ctx, filepath.Join(root, ".ci", "install"), name).CombinedOutput()
	if err != nil {
		return fmt.Errorf("install %s: %w\n%s", name, err, strings.TrimSpace(string(output)))
	}
	return nil
}

// buildMinIO returns the path of MinIO, which is built once per user and version.
func buildMinIO(ctx context.Context) (string, error) {
	cache, err := checkout.Cache()
	if err != nil {
		return "", err
	}
	target := filepath.Join(cache, "minio-"+minioVersion)
	return target, checkout.Once(target, func(folder string) (string, error) {
		fmt.Fprintln(os.Stderr, "building MinIO (once, may take some minutes)")
		// The options are those of the images of deploy/docker.
		command := exec.CommandContext(ctx, "go", "install", "-trimpath", "-ldflags=-s", "-tags=kqueue",
			"github.com/minio/minio@"+minioVersion)
		command.Dir = folder // outside of any module and workspace
		command.Env = append(os.Environ(), "GOBIN="+folder, "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
		if output, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("build MinIO: %w\n%s", err, strings.TrimSpace(string(output)))
		}
		return filepath.Join(folder, "minio"), nil
	})
}
