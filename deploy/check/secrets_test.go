package check

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/token"
)

var strong = regexp.MustCompile(`^[a-z][0-9a-f]{48}$`)

// TestInit_Secrets finds weak, repeated or readable secrets.
func TestInit_Secrets(t *testing.T) {
	t.Parallel()
	first, second := shared(t), deploy(t)
	env, other := first.env(), second.env()
	seen := map[string]string{}
	for name, value := range env {
		if name == "PUBLIC_URL" {
			if value != publicURL {
				t.Errorf("PUBLIC_URL is %q", value)
			}
			continue
		}
		if !strong.MatchString(value) {
			t.Errorf("%s is %q, which is not a letter and 48 hexadecimal digits", name, value)
		}
		if duplicate := seen[value]; duplicate != "" || value == other[name] {
			t.Errorf("%s is not random: %s, and %q elsewhere", name, duplicate, other[name])
		}
		seen[value] = name
	}
	for path, mode := range map[string]os.FileMode{".env": 0o600, "deploy/docker/secrets": 0o700} {
		info, err := os.Stat(filepath.Join(first.folder, path))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, want the mode %v", path, info.Mode().Perm(), err, mode)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(first.folder, "deploy/docker/.secrets*")); len(left) > 0 {
		t.Errorf("init.sh leaves %v", left)
	}

	secrets := filepath.Join(first.folder, "deploy/docker/secrets")
	if keys, err := token.ParseKeys([]byte(read(t, filepath.Join(secrets, "token_keys")))); err != nil ||
		len(keys) != 1 {
		t.Errorf("the signing key: %d keys, %v", len(keys), err)
	}
	if code, err := hex.DecodeString(read(t, filepath.Join(secrets, "code_secret"))); err != nil || len(code) != 32 {
		t.Errorf("the code secret has %d bytes, %v", len(code), err)
	}
	users := read(t, filepath.Join(secrets, "valkey_users"))
	for name, value := range env {
		if strings.Contains(users, value) && name != "PUBLIC_URL" {
			t.Errorf("valkey_users holds %s itself, not its hash", name)
		}
	}
}

// TestInit_Again finds existing secrets that are overwritten: the data of a running deployment need them.
func TestInit_Again(t *testing.T) {
	t.Parallel()
	for _, keep := range []string{".env", "deploy/docker/secrets"} {
		d := deploy(t)
		for _, path := range []string{".env", "deploy/docker/secrets"} {
			if path != keep {
				require.NoError(t, os.RemoveAll(filepath.Join(d.folder, path)))
			}
		}
		output, err := d.init("", publicURL)
		if err == nil || !strings.Contains(output, "exists already") {
			t.Errorf("with %s there: %v\n%s", keep, err, output)
		}
		for _, path := range []string{".env", "deploy/docker/secrets"} {
			if _, err := os.Stat(filepath.Join(d.folder, path)); (err == nil) != (path == keep) {
				t.Errorf("with %s there, %s: %v", keep, path, err)
			}
		}
	}
}

// TestInit_Engine finds an engine or Compose that is too old and fails later, with an error that nobody understands.
func TestInit_Engine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, engine, compose, buildx, want string }{
		{"engine 24", "24.0.9", "2.40.3", "", "Capzone needs version 25 or newer."},
		{"compose 2.23", "28.5.2", "2.23.3", "", "Capzone needs version 2.24 or newer."},
		{"compose 5 without buildx", "29.0.1", "5.0.0", "exit 1", "needs the plugin buildx"},
		{"compose 5 with buildx", "29.0.1", "v5.0.0", "exit 0", ""},
		{"engine 28 and compose 2.40", "28.5.2", "2.40.3", "exit 1", ""},
		{"an engine that does not answer", "", "", "exit 1", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := deployment{t, t.TempDir()}
			d.copy("deploy/docker", "docker-compose.yml")
			programs := t.TempDir()
			script := "#!/bin/sh\ncase \"$1 $2\" in\n'version --format') echo '" + tt.engine + "' ;;\n'compose version') echo '" + tt.compose +
				"' ;;\n'buildx version') " + tt.buildx + " ;;\nesac\n"
			require.NoError(t, os.WriteFile(filepath.Join(programs, "docker"), []byte(script), 0o700))
			output, err := d.init(programs, publicURL)
			if refused := err != nil; refused != (tt.want != "") || !strings.Contains(output, tt.want) {
				t.Errorf("%v: %s", err, output)
			}
			if _, err := os.Stat(filepath.Join(d.folder, ".env")); (err == nil) != (tt.want == "") {
				t.Errorf("the file .env: %v", err)
			}
		})
	}
}

// TestInit_Usage finds addresses that would become a broken or an executed line of .env.
func TestInit_Usage(t *testing.T) {
	t.Parallel()
	d := deployment{t, t.TempDir()}
	d.copy("deploy/docker", "docker-compose.yml")
	for _, arguments := range [][]string{{}, {""}, {"capzone.example"}, {"ftp://capzone.example"},
		{"https://capzone.example/path"}, {"https://a b"}, {"https://a$(id)"}, {"https://a", "https://b"}} {
		if output, err := d.init("", arguments...); err == nil || !strings.Contains(output, "usage:") {
			t.Errorf("%q: %v\n%s", arguments, err, output)
		}
	}
	if _, err := os.Stat(filepath.Join(d.folder, ".env")); err == nil {
		t.Error("a refused call left an .env")
	}
}
