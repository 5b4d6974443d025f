package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"

	"capzone.dev/devstack/require"
)

// dockerfiles returns the text of every Dockerfile, by its path.
func dockerfiles(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "deploy/docker/*Dockerfile"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("Dockerfiles: %v, %v", paths, err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		texts[path] = read(t, path)
	}
	return texts
}

// TestDockerignore finds secrets and local files that reach the builder, whose cache would keep them.
func TestDockerignore(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join(root, ".dockerignore"))
	require.NoError(t, err)
	defer file.Close()
	patterns, err := ignorefile.ReadAll(file)
	require.NoError(t, err)
	matcher, err := patternmatcher.New(patterns)
	require.NoError(t, err)
	for path, want := range map[string]bool{
		".env": true, ".git/config": true, ".local/token-keys.pem": true, "deploy/docker/secrets/token_keys": true,
		".tools/bin/local": true, "web/node_modules/vite/package.json": true, "web/dist/index.html": true,
		"platform/event/party_test.go": true, "docker-compose.yml": true,
		"platform/go.mod": false, "platform/go.sum": false, "web/src/main.tsx": false, "web/package-lock.json": false,
		"services/maps/migrations/00001_schema.sql": false,
	} {
		ignored, err := matcher.MatchesOrParentMatches(path)
		if err != nil || ignored != want {
			t.Errorf("%s is ignored: %v, want %v (%v)", path, ignored, want, err)
		}
	}
}

// TestDockerfiles finds bases without a version, and secrets in variables or arguments, which images keep.
func TestDockerfiles(t *testing.T) {
	t.Parallel()
	var (
		from    = regexp.MustCompile(`(?m)^FROM (?:--\S+ )?(\S+)(?: AS (\S+))?`)
		version = regexp.MustCompile(`:[0-9]+(\.[0-9]+)*(-[a-z0-9.]+)?$|-debian1[0-9]:nonroot$`)
		secret  = regexp.MustCompile(`(?im)^(?:ENV|ARG) .*(?:password|secret|token|key).*`)
	)
	for path, text := range dockerfiles(t) {
		stages := map[string]bool{}
		for _, match := range from.FindAllStringSubmatch(text, -1) {
			if !stages[match[1]] && !version.MatchString(match[1]) {
				t.Errorf("%s builds on %s, which is no version", path, match[1])
			}
			stages[match[2]] = true
		}
		if line := secret.FindString(text); line != "" {
			t.Errorf("%s has %q", path, line)
		}
	}
}

// TestVersions finds a version that was raised in one file and not in the others.
func TestVersions(t *testing.T) {
	t.Parallel()
	find := func(file, pattern string) string {
		t.Helper()
		match := regexp.MustCompile(pattern).FindStringSubmatch(read(t, filepath.Join(root, file)))
		if match == nil {
			t.Fatalf("%s has no %s", file, pattern)
		}
		return match[1]
	}
	// The server of the image and of the chart is the one that the tests have run.
	tested := find("devstack/go.mod", `nats-server/v2 v(\S+)`)
	built := find("deploy/docker/nats.Dockerfile", `NATS_VERSION=v(\S+)`)
	chart := find("deploy/k8s/operators/nats-values.yaml", `tag: (\S+)-alpine`)
	if built != tested || chart != tested {
		t.Errorf("NATS %s is tested, the image has %s, the chart has %s", tested, built, chart)
	}
	// PostgreSQL's tools refuse a server of another version.
	server := shared(t).project().Services["postgres"].Image
	if tools := find("deploy/docker/backup.Dockerfile", `(?m)^FROM (postgres:\S+)`); tools != server {
		t.Errorf("the tools of backups are those of %s, the server is %s", tools, server)
	}
	for _, name := range []string{"postgres", "valkey"} {
		image := shared(t).project().Services[name].Image
		trial := find("deploy/k8s/trial/"+name+".yaml", `image: (\S+)`)
		pulled := find("docs/operations.md", `docker pull (\S*`+name+`:\S+)`)
		if trial != image || pulled != image {
			t.Errorf("%s is %s in Compose, %s in the trial's cluster, %s in the documents", name, image, trial, pulled)
		}
	}
	// The newest Node that the site allows, one whose maintenance has not ended, down to the patch.
	node := find("deploy/docker/Dockerfile", `node:(\d+)\.\d+\.\d+-`)
	after, err := strconv.Atoi(find("web/package.json", `"node": ">=\d+ <(\d+)"`))
	if major, err2 := strconv.Atoi(node); err != nil || err2 != nil || major < 24 || major != after-1 {
		t.Errorf("the image has Node %s, the site is built with versions below %d", node, after)
	}
}

// TestPrograms_Static found a dependency that links programs with libraries, which images do not have.
func TestPrograms_Static(t *testing.T) {
	t.Parallel()
	environment := regexp.MustCompile(`(?m)^ENV (CGO_ENABLED=\S+)`).
		FindStringSubmatch(read(t, filepath.Join(root, "deploy/docker/Dockerfile")))
	if environment == nil {
		t.Fatal("the Dockerfile does not set CGO_ENABLED")
	}
	arguments := []string{"list", "-deps", "-tags=nodynamic,nomsgpack",
		"./gateway/cmd/...", "./bot/cmd/...", "./platform/cmd/..."}
	for _, name := range serviceNames(t, anyService) {
		arguments = append(arguments, "./services/"+name+"/cmd/...")
	}
	list := exec.CommandContext(t.Context(), "go", arguments...)
	list.Dir, list.Env = root, append(os.Environ(), environment[1])
	packages, err := list.Output()
	require.NoError(t, err)
	for pkg := range strings.Lines(string(packages)) {
		if pkg = strings.TrimSpace(pkg); pkg == "runtime/cgo" || strings.HasPrefix(pkg, "github.com/ebitengine/purego") {
			t.Errorf("a program is linked with libraries by %s", pkg)
		}
	}
}
