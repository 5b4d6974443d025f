package compose

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"capzone.dev/devstack/freeport"
	"capzone.dev/e2e/internal/engine"
)

// deployment is the site as an operator deploys it, from a copy of the sources.
type deployment struct {
	engine.Engine
	site    string // the copy of the sources, with the deployment's .env and secrets
	address string
	ports   [2]int // for gateways; the first is the address's
}

// deploy copies the sources and makes the secrets.
func deploy(ctx context.Context, e engine.Engine) (*deployment, error) {
	folder, err := e.CopySources(ctx)
	if err != nil {
		return nil, err
	}
	d := &deployment{Engine: e, site: folder}
	rooms, err := freeport.Pick()
	if err != nil {
		return nil, err
	}
	if d.ports, err = twoPorts(); err != nil {
		return nil, err
	}
	d.address = fmt.Sprintf("http://localhost:%d", d.ports[0])
	if _, err := engine.Output(d.inSite(ctx, filepath.Join(d.site, "deploy/docker/init.sh"), d.address)); err != nil {
		return nil, err
	}
	// All visitors of the tests have one address.
	return d, d.set(map[string]string{
		"COMPOSE_FILE":        "docker-compose.yml:deploy/docker/simulated.yml",
		"ROOMS_PORT":          strconv.Itoa(rooms),
		"REQUESTS_PER_MINUTE": "1000000", "LOGINS_PER_MINUTE": "1000000", "SUBMISSIONS_PER_HOUR": "1000000",
		"ROOMS_PER_HOUR": "1000000", "ROOMS_PER_ADDRESS": "64",
	})
}

// twoPorts returns two free ports in a row.
func twoPorts() (ports [2]int, err error) {
	for {
		first, err := freeport.Pick()
		if err != nil {
			return ports, err
		}
		if freeport.Claim(first+1) && freeport.Free(first+1) {
			return [2]int{first, first + 1}, nil
		}
	}
}

// set writes settings into .env, as an operator does.
func (d *deployment) set(settings map[string]string) error {
	path := filepath.Join(d.site, ".env")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for name, value := range settings {
		text = regexp.MustCompile(`(?m)^`+name+`=.*\n`).ReplaceAll(text, nil)
		text = fmt.Appendf(text, "%s=%s\n", name, value)
	}
	return os.WriteFile(path, text, 0o600)
}

// inSite returns a command that runs in the deployment's folder.
func (d *deployment) inSite(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	command := d.Command(ctx, program, arguments...)
	command.Dir = d.site
	return command
}

// compose runs Docker Compose and returns its standard output.
func (d *deployment) compose(ctx context.Context, arguments ...string) (string, error) {
	return d.Compose(ctx, d.site, arguments...)
}

// mustCompose is compose for a test.
func (d *deployment) mustCompose(t *testing.T, arguments ...string) string {
	t.Helper()
	text, err := d.compose(t.Context(), arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// build builds all images, with the backup's.
func (d *deployment) build(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Join(d.site, "backup"), 0o700); err != nil {
		return err
	}
	if err := os.Chown(filepath.Join(d.site, "backup"), 65532, 65532); err != nil {
		return err
	}
	return d.BuildImages(ctx, d.site)
}

// up starts the site and waits until every container is healthy.
func (d *deployment) up(ctx context.Context) error {
	_, err := d.compose(ctx, "up", "--detach", "--wait")
	return err
}

// removeAll removes the site with its volumes and its folder.
func (d *deployment) removeAll(ctx context.Context) error {
	if err := d.RemoveContainers(ctx); err != nil {
		return err
	}
	return os.RemoveAll(d.site)
}

// showLogs prints the states of the containers and the last lines of each.
func (d *deployment) showLogs(ctx context.Context) error {
	for _, arguments := range [][]string{{"ps", "--all"}, {"logs", "--no-color", "--tail", "30"}} {
		text, err := d.compose(ctx, arguments...)
		if err != nil {
			return err
		}
		fmt.Println(text)
	}
	return nil
}
