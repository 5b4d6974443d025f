package compose

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// engine is a Docker Engine of the tests' own.
type engine struct {
	folder  string // its programs and its data
	scripts string // deploy/check/engine
}

// start builds what is not there yet, starts the engine and makes the base images.
func (e engine) start(ctx context.Context) error {
	for _, script := range [][]string{{"programs.sh"}, {"engine.sh", "start"}, {"images.sh"}} {
		command := e.command(ctx, filepath.Join(e.scripts, script[0]), script[1:]...)
		command.Stdout, command.Stderr = os.Stdout, os.Stderr
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w", script[0], err)
		}
	}
	// What an earlier run left behind when it was killed.
	if err := e.removeContainers(ctx); err != nil {
		return err
	}
	plugins := filepath.Join(e.config(), "cli-plugins")
	if err := os.MkdirAll(plugins, 0o755); err != nil {
		return err
	}
	plugin := filepath.Join(plugins, "docker-compose")
	_ = os.Remove(plugin)
	return os.Symlink(filepath.Join(e.folder, "bin", "docker-compose"), plugin)
}

// stop stops the engine.
func (e engine) stop(ctx context.Context) error {
	_, err := output(e.command(ctx, filepath.Join(e.scripts, "engine.sh"), "stop"))
	return err
}

// config is the folder of the client's settings and plugins.
func (e engine) config() string { return filepath.Join(e.folder, "config") }

// command returns a command whose Docker is this engine.
func (e engine) command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, program, arguments...)
	command.Env = append(os.Environ(), "ENGINE="+e.folder, "DOCKER_HOST=unix://"+e.folder+"/docker.sock",
		"DOCKER_CONFIG="+e.config())
	return command
}

// docker runs the client and returns its standard output.
func (e engine) docker(ctx context.Context, arguments ...string) (string, error) {
	return output(e.command(ctx, "docker", arguments...))
}

// removeContainers removes all containers, networks and volumes, and images without a name. Other images and caches of
// builds are kept.
func (e engine) removeContainers(ctx context.Context) error {
	containers, err := e.docker(ctx, "ps", "--all", "--quiet")
	if err != nil {
		return err
	}
	if ids := strings.Fields(containers); len(ids) > 0 {
		if _, err := e.docker(ctx, append([]string{"rm", "--force", "--volumes"}, ids...)...); err != nil {
			return err
		}
	}
	for _, kind := range []string{"network", "image"} {
		if _, err := e.docker(ctx, kind, "prune", "--force"); err != nil {
			return err
		}
	}
	volumes, err := e.docker(ctx, "volume", "ls", "--quiet")
	if names := strings.Fields(volumes); err == nil && len(names) > 0 {
		_, err = e.docker(ctx, append([]string{"volume", "rm"}, names...)...)
	}
	return err
}

// container is what the engine reports of a container.
type container struct {
	ID           string `json:"Id"`
	Image        string
	RestartCount int
	State        struct {
		Status    string
		Pid       int
		StartedAt time.Time
		Health    *struct{ Status string }
	}
	Config          struct{ Labels map[string]string }
	HostConfig      struct{ Memory, MemorySwap, PidsLimit int64 }
	NetworkSettings struct {
		Networks map[string]struct{ IPAddress string }
	}
}

func (c container) service() string { return c.Config.Labels["com.docker.compose.service"] }

// isServing reports whether the container runs and passes its health check.
func (c container) isServing() bool {
	return c.State.Status == "running" && c.State.Health != nil && c.State.Health.Status == "healthy"
}

// containers returns the site's running containers, those of some services or all, in the order of their services.
func (e engine) containers(t *testing.T, services ...string) []container {
	t.Helper()
	ids, err := e.docker(t.Context(), "ps", "--quiet", "--filter", "label=com.docker.compose.project=capzone")
	if err != nil {
		t.Fatal(err)
	}
	if ids == "" {
		return nil
	}
	text, err := e.docker(t.Context(), append([]string{"inspect"}, strings.Fields(ids)...)...)
	if err != nil {
		t.Fatal(err)
	}
	var list []container
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(c container) bool {
		return len(services) > 0 && !slices.Contains(services, c.service())
	})
	slices.SortFunc(list, func(a, b container) int { return strings.Compare(a.service()+a.ID, b.service()+b.ID) })
	return list
}

// output runs a command and returns its standard output; the error contains what else it printed.
func output(command *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(command.Args, " "), err, &stdout, &stderr)
	}
	return strings.TrimSpace(stdout.String()), nil
}
