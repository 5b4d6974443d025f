// Package engine runs a Docker Engine of the tests' own, which deploy/check/engine builds, and builds the site's images
// on it.
package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Engine is a Docker Engine with images and caches of builds.
type Engine struct {
	root string // the sources
	// Folder has its programs and its data.
	Folder string
}

// Main runs tests that need an engine where an environment variable is set, and ends the process. command runs them.
func Main(m *testing.M, variable, command string, run func(*testing.M) (code int, err error)) {
	if os.Getenv(variable) == "" {
		fmt.Println("these tests need a container engine and take minutes:", command, "runs them")
		return
	}
	code, err := run(m)
	if reason := CannotRunError(""); errors.As(err, &reason) {
		fmt.Println("SKIPPED:", command, "cannot run here:", reason)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, command+":", err)
		code = 1
	}
	os.Exit(code)
}

// New returns the engine for sources, in the folder that ENGINE names.
func New(root string) Engine {
	return Engine{root, cmp.Or(os.Getenv("ENGINE"), filepath.Join(root, ".tools", "engine"))}
}

// CannotRunError is why no engine can run on this machine.
type CannotRunError string

// Error implements error.
func (e CannotRunError) Error() string { return string(e) }

// Check returns a CannotRunError where no engine can run, or where there is no room for it with other bytes.
func (e Engine) Check(ctx context.Context, others int64) error {
	if os.Geteuid() != 0 {
		return CannotRunError("an engine runs as root only")
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return CannotRunError("containerd and the base images are made from Debian's packages, and this is no Debian")
	}
	unshare := exec.CommandContext(ctx, "unshare", "--mount", "--net", "--pid", "--fork", "true")
	if output, err := unshare.CombinedOutput(); err != nil {
		return CannotRunError(fmt.Sprintf("this process may not create containers: %s", bytes.TrimSpace(output)))
	}
	if err := os.MkdirAll(e.Folder, 0o755); err != nil {
		return err
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(e.Folder, &disk); err != nil {
		return err
	}
	needed := others
	if _, err := os.Stat(filepath.Join(e.Folder, "data", "buildkit")); err != nil {
		needed += neededBytes
	}
	if free := int64(disk.Bavail) * disk.Bsize; free < needed {
		return CannotRunError(fmt.Sprintf("%s has %d GiB of room, and %d are needed", e.Folder, free>>30, needed>>30))
	}
	return nil
}

// neededBytes is the disk space that programs, images and caches of builds need, as long as none are there.
const neededBytes = 16 << 30

// Start builds what is not there yet, starts the engine and makes the base images.
func (e Engine) Start(ctx context.Context) error {
	for _, script := range [][]string{{"programs.sh"}, {"engine.sh", "start"}, {"images.sh"}} {
		command := e.Command(ctx, e.script(script[0]), script[1:]...)
		command.Stdout, command.Stderr = os.Stdout, os.Stderr
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w", script[0], err)
		}
	}
	// What an earlier run left behind when it was killed.
	if err := e.RemoveContainers(ctx); err != nil {
		return err
	}
	plugins := filepath.Join(e.config(), "cli-plugins")
	if err := os.MkdirAll(plugins, 0o755); err != nil {
		return err
	}
	plugin := filepath.Join(plugins, "docker-compose")
	_ = os.Remove(plugin)
	return os.Symlink(filepath.Join(e.Folder, "bin", "docker-compose"), plugin)
}

// Stop stops the engine.
func (e Engine) Stop(ctx context.Context) error {
	_, err := Output(e.Command(ctx, e.script("engine.sh"), "stop"))
	return err
}

// script is the path of a script of deploy/check/engine.
func (e Engine) script(name string) string {
	return filepath.Join(e.root, "deploy", "check", "engine", name)
}

// config is the folder of the client's settings and plugins.
func (e Engine) config() string { return filepath.Join(e.Folder, "config") }

// Command returns a command whose Docker is this engine.
func (e Engine) Command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, program, arguments...)
	command.Env = append(os.Environ(), "ENGINE="+e.Folder, "DOCKER_HOST=unix://"+e.Folder+"/docker.sock",
		"DOCKER_CONFIG="+e.config())
	return command
}

// Docker runs the client and returns its standard output.
func (e Engine) Docker(ctx context.Context, arguments ...string) (string, error) {
	return Output(e.Command(ctx, "docker", arguments...))
}

// RemoveContainers removes all containers, networks and volumes, and images without a name. Other images and caches of
// builds are kept.
func (e Engine) RemoveContainers(ctx context.Context) error {
	containers, err := e.Docker(ctx, "ps", "--all", "--quiet")
	if err != nil {
		return err
	}
	if ids := strings.Fields(containers); len(ids) > 0 {
		if _, err := e.Docker(ctx, append([]string{"rm", "--force", "--volumes"}, ids...)...); err != nil {
			return err
		}
	}
	for _, kind := range []string{"network", "image"} {
		if _, err := e.Docker(ctx, kind, "prune", "--force"); err != nil {
			return err
		}
	}
	volumes, err := e.Docker(ctx, "volume", "ls", "--quiet")
	if names := strings.Fields(volumes); err == nil && len(names) > 0 {
		_, err = e.Docker(ctx, append([]string{"volume", "rm"}, names...)...)
	}
	return err
}

// sources are the paths that images and deployments are made of.
const sources = "docker-compose.yml .dockerignore bot deploy devstack game gateway platform services web"

// CopySources copies the sources for a deployment and returns their folder. It has no secrets.
func (e Engine) CopySources(ctx context.Context) (folder string, err error) {
	folder = filepath.Join(e.Folder, "site")
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, "bash", "-c", `set -o pipefail
		tar --create --exclude=node_modules --exclude=./web/dist --exclude=deploy/docker/secrets `+sources+` | tar --extract --directory "$0"`,
		folder)
	command.Dir = e.root
	_, err = Output(command)
	return folder, err
}

// Compose runs Docker Compose in a deployment's folder and returns its standard output.
func (e Engine) Compose(ctx context.Context, folder string, arguments ...string) (string, error) {
	command := e.Command(ctx, "docker", append([]string{"compose", "--progress", "plain"}, arguments...)...)
	command.Dir = folder
	return Output(command)
}

// BuildImages builds all images, with the backup's.
func (e Engine) BuildImages(ctx context.Context, folder string) error {
	_, err := e.Compose(ctx, folder, "--profile", "backup", "build")
	return err
}

// Output runs a command and returns its standard output; the error contains what else it printed.
func Output(command *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(command.Args, " "), err, &stdout, &stderr)
	}
	return strings.TrimSpace(stdout.String()), nil
}
