package check

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"

	"capzone.dev/devstack/programs"
	"capzone.dev/devstack/require"
)

// packages returns the programs that containers run and are checked with, by what the images call them.
func packages(t *testing.T) map[string]string {
	t.Helper()
	paths := map[string]string{
		"gateway": "./gateway/cmd/gateway", "bot": "./bot/cmd/bot",
		"provision": "./platform/cmd/provision", "provision-storage": "./deploy/minio",
	}
	for _, s := range services(t) {
		paths[s.Name] = "./services/" + s.Name + "/cmd/" + s.Name
	}
	return paths
}

const backupScript = "deploy/backup/backup.sh"

// program returns the path of what a container runs or is checked with, which is built first. The backup is a script.
func program(t *testing.T, name string) string {
	t.Helper()
	if name == "backup" {
		return filepath.Join(root, backupScript)
	}
	paths := packages(t)
	buildMu.Lock()
	defer buildMu.Unlock()
	if !built {
		require.NoError(t, programs.Build(t.Context(), root, slices.Collect(maps.Values(paths))...))
		built = true
	}
	return programs.Path(root, paths[name])
}

var (
	buildMu sync.Mutex
	built   bool
)

// inContainer is the environment of a container, with its secret files where they lie on this machine.
func (d deployment) inContainer(s types.ServiceConfig) []string {
	list := environment(s)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "/run/secrets/", filepath.Join(d.folder, "deploy/docker/secrets")+"/")
	}
	return list
}

// TestPrograms_Environment finds a setting that a program requires and its container lacks.
func TestPrograms_Environment(t *testing.T) {
	t.Parallel()
	names := programNames(t)
	d := shared(t)
	p := d.project()
	checkEnv := func(name string, environment []string) (string, error) {
		command := exec.CommandContext(t.Context(), program(t, name), "check-env")
		command.Env = environment
		output, err := command.CombinedOutput()
		return string(output), err
	}
	if output, err := checkEnv("bot", d.inContainer(d.project(simulated).Services["bot"])); err != nil {
		t.Errorf("the simulated bot: %v\n%s", err, output)
	}
	for _, name := range names {
		environment := d.inContainer(p.Services[name])
		if output, err := checkEnv(name, environment); err != nil {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
		for i, variable := range environment {
			key, _, _ := strings.Cut(variable, "=")
			if key != "BOT_MODE" && !strings.HasSuffix(key, "_URL") || key == "PUBLIC_URL" || key == "BOT_PUBLIC_URL" {
				continue
			}
			if key == "NATS_URL" && name == "gateway" || key == "MIGRATION_DATABASE_URL" {
				continue // the program can do without it
			}
			if output, err := checkEnv(name, slices.Delete(slices.Clone(environment), i, i+1)); err == nil ||
				!strings.Contains(output, key) {
				t.Errorf("%s without %s: %v\n%s", name, key, err, output)
			}
		}
	}
}

const botPassword = "only-the-bot-knows-this"

// fillBotAccount writes the account, as the operator has to.
func (d deployment) fillBotAccount() {
	d.t.Helper()
	file := filepath.Join(d.folder, "deploy/docker/secrets/bot_account")
	require.NoError(d.t, os.WriteFile(file, []byte("capzonebot\n"+botPassword+"\n"), 0o600))
}

// TestCompose_Mounts finds mounted files that do not exist, for which Docker makes empty folders.
func TestCompose_Mounts(t *testing.T) {
	t.Parallel()
	d := shared(t)
	for name, s := range watched(t).Services {
		for _, v := range s.Volumes {
			if v.Type != types.VolumeTypeBind {
				continue
			}
			if _, err := os.Stat(v.Source); err != nil {
				t.Errorf("%s mounts %s: %v", name, v.Source, err)
			}
			if config := filepath.Join(v.Source, "nats-server.conf"); name == "nats" && v.Target == "/etc/nats" {
				if _, err := os.Stat(config); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		for _, secret := range s.Secrets {
			if _, err := os.Stat(filepath.Join(d.folder, "deploy/docker/secrets", secret.Source)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
