package check

import (
	"bytes"
	"context"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// settings are what a program is started with.
type settings map[string]string

// with returns the settings with some changed.
func (s settings) with(changes settings) settings {
	changed := maps.Clone(s)
	maps.Copy(changed, changes)
	return changed
}

// settingsOf returns the settings of a program of each kind.
func (d deployment) settingsOf() map[string]settings {
	d.t.Helper()
	all := map[string]settings{}
	containers := d.project().Services
	for _, name := range []string{"auth", "maps", "gateway", "bot", "provision", "provision-storage"} {
		all[name] = settings{"OPS_ADDR": "127.0.0.1:0", "HTTP_ADDR": "127.0.0.1:0"}
		for _, variable := range d.inContainer(containers[name]) {
			key, value, _ := strings.Cut(variable, "=")
			all[name][key] = value
		}
	}
	all["backup"] = settings{
		"DATABASE_URL": "postgres://postgres:" + d.env()["POSTGRES_PASSWORD"] + "@postgres:5432/postgres",
		"S3_ENDPOINT":  "http://minio:9000", "S3_ACCESS_KEY": "capzone-root", "S3_SECRET_KEY": d.env()["MINIO_ROOT_PASSWORD"],
	}
	return all
}

// secrets are what no log may hold.
func (d deployment) secrets() []string {
	d.t.Helper()
	secrets := []string{botPassword}
	for name, value := range d.env() {
		if name != "PUBLIC_URL" {
			secrets = append(secrets, value)
		}
	}
	folder := filepath.Join(d.folder, "deploy/docker/secrets")
	key := regexp.MustCompile(`(?m)^[A-Za-z0-9+/=]{40,}$`).FindString(read(d.t, filepath.Join(folder, "token_keys")))
	return append(secrets, key, read(d.t, filepath.Join(folder, "code_secret")))
}

// TestPrograms_Output finds secrets in what programs print, at the lowest level of their logs, where servers are
// away or settings are wrong. It found a password in the error of a driver that quotes the address which it cannot
// parse.
func TestPrograms_Output(t *testing.T) {
	t.Parallel()
	d := shared(t)
	secrets := d.secrets()
	if slices.Contains(secrets, "") {
		t.Fatal("one of the secrets is empty")
	}
	var all sync.WaitGroup // programs mostly wait for servers, so that they all run at once
	for name, right := range d.settingsOf() {
		path, arguments := program(t, name), []string{}
		if name == "backup" {
			arguments = []string{"save", t.TempDir()}
		}
		for what, environment := range d.wrongSettings(right) {
			all.Go(func() {
				output := printed(t, environment, path, arguments...)
				for _, secret := range secrets {
					if strings.Contains(output, secret) {
						t.Errorf("%s %s prints a secret:\n%s", name, what, strings.ReplaceAll(output, secret, "<<<THE SECRET>>>"))
					}
				}
			})
		}
	}
	all.Wait()
}

// wrongSettings returns settings with which a program cannot work, by what is wrong with them.
func (d deployment) wrongSettings(right settings) map[string]settings {
	nowhere := right.with(settings{"LOG_LEVEL": "debug", "PROVISION_TIMEOUT": "1s"})
	for key, value := range nowhere {
		// No server listens there. The name in the setting is known to containers only.
		nowhere[key] = inside.ReplaceAllString(value, "${1}127.0.0.1:1")
	}
	cases := map[string]settings{"with servers that are away": nowhere}
	first := "NATS_URL" // the first that a program uses
	if right["DATABASE_URL"] != "" {
		first = "DATABASE_URL"
	}
	for _, key := range []string{first, "REDIS_URL"} {
		if value := right[key]; value != "" && (key == first || first != "DATABASE_URL") {
			cases["with a wrong port in "+key] = nowhere.with(settings{key: strings.Replace(value, "@", "@host:port:", 1)})
			cases["with a slash in the password of "+key] = nowhere.with(settings{key: strings.Replace(value, "@", "/@", 1)})
		}
	}
	for key := range right {
		if strings.HasSuffix(key, "_FILE") {
			cases["with another file for "+key] = nowhere.with(settings{key: filepath.Join(d.folder, ".env")})
		}
	}
	return cases
}

// inside is the address of another container in a setting.
var inside = regexp.MustCompile(`(@|//|^)[a-z]+:[0-9]+`)

// printed returns what a program prints until it ends; it is asked to end after startTime.
func printed(t *testing.T, environment settings, program string, arguments ...string) string {
	t.Helper()
	var output bytes.Buffer
	ctx, stop := context.WithTimeout(t.Context(), startTime)
	defer stop()
	command := exec.CommandContext(ctx, program, arguments...)
	command.Env = []string{"PATH=/usr/bin:/bin", "DRAIN_DELAY=0s"}
	for name, value := range environment {
		command.Env = append(command.Env, name+"="+value)
	}
	command.Stdout, command.Stderr = &output, &output
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 20 * time.Second
	if err := command.Run(); err == nil && output.Len() == 0 && ctx.Err() == nil {
		t.Error("it succeeded and printed nothing")
	}
	return output.String()
}

// startTime is how long a program may try to reach a server that does not answer.
const startTime = 2 * time.Second
