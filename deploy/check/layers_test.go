package check

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
)

// goList returns what go list prints with a format for the packages of services and of the bot's domain, line by line.
func goList(t *testing.T, format string) []string {
	t.Helper()
	arguments := []string{"list", "-f", format, "./bot/internal/verification"}
	for _, name := range serviceNames(t, anyService) {
		arguments = append(arguments, "./services/"+name+"/internal/...")
	}
	list := exec.CommandContext(t.Context(), "go", arguments...)
	list.Dir = root
	output, err := list.Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(output)), "\n")
}

var adapterPath = regexp.MustCompile(
	`^capzone\.dev/services/([a-z]+)/internal/(app|files|httpapi|natsapi|postgres|receivers|redis)(/.*)?$`,
)

// TestAdapters_Imports finds an adapter of a service that imports another one, or the wiring in app.
func TestAdapters_Imports(t *testing.T) {
	t.Parallel()
	checked := map[string]bool{}
	for _, line := range goList(t, `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`) {
		paths := strings.Fields(line)
		adapter := adapterPath.FindStringSubmatch(paths[0])
		if adapter == nil || adapter[2] == "app" {
			continue
		}
		checked[adapter[1]] = true
		for _, path := range paths[1:] {
			if imported := adapterPath.FindStringSubmatch(path); imported != nil &&
				(imported[1] != adapter[1] || imported[2] != adapter[2]) {
				t.Errorf("%s imports %s", paths[0], path)
			}
		}
	}
	if want := len(services(t)); len(checked) != want {
		t.Errorf("adapters of %v were found, want those of %d services", checked, want)
	}
}

var (
	noDomain   = regexp.MustCompile(`/internal/(app|files|httpapi|natsapi|postgres|receivers|redis|[a-z]+test)(/|$)`)
	technology = regexp.MustCompile(`^github\.com/(gin-gonic|jackc|minio|nats-io|prometheus|redis)/`)
)

// TestDomains_Dependencies finds a domain that needs a database, broker, storage or router, even if through a
// package of platform, which the linter does not see.
func TestDomains_Dependencies(t *testing.T) {
	t.Parallel()
	domains := 0
	for _, line := range goList(t, `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`) {
		paths := strings.Fields(line)
		if noDomain.MatchString(paths[0]) {
			continue
		}
		domains++
		for _, dependency := range paths[1:] {
			if technology.MatchString(dependency) {
				t.Errorf("%s needs %s", paths[0], dependency)
			}
		}
	}
	if domains <= len(services(t)) {
		t.Errorf("only %d domains were found", domains)
	}
}

var (
	// roleFiles are the files of adapters that are named after their job, alike in all services.
	roleFiles = map[string][]string{
		"files":    {"files"},
		"httpapi":  {"server", "openapi.gen"},
		"natsapi":  {"consumers", "owners"},
		"postgres": {"store", "copies", "merge", "forget", "purge", "export", "rows", "save"},
		"redis":    {"store"},
	}
	// sharedFiles are named after what several other files of their folder use.
	sharedFiles = map[string][]string{
		"auth":    {"httpapi/cookies", "natsapi/bots"},
		"records": {"postgres/recount"},
	}
)

// TestAdapters_FileNames finds a file of an adapter that has neither the name of its job nor that of a file of the
// domain. Up to an underscore, the name is that of the subject.
func TestAdapters_FileNames(t *testing.T) {
	t.Parallel()
	for _, service := range serviceNames(t, anyService) {
		files, err := filepath.Glob(filepath.Join(root, "services", service, "internal", "*", "*.go"))
		require.NoError(t, err)
		subjects := map[string]bool{}
		var adapters []string
		for _, file := range files {
			folder, name := filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".go")
			switch {
			case strings.HasSuffix(name, "_test"), folder == "app": // which has workers and commands, too
			case roleFiles[folder] != nil:
				adapters = append(adapters, folder+"/"+name)
			default:
				subjects[name] = true
			}
		}
		for _, adapter := range adapters {
			folder, name, _ := strings.Cut(adapter, "/")
			subject, _, _ := strings.Cut(name, "_")
			if !subjects[subject] && !slices.Contains(roleFiles[folder], name) &&
				!slices.Contains(sharedFiles[service], adapter) {
				t.Errorf("services/%s/internal/%s.go has no file of its subject in the domain", service, adapter)
			}
		}
	}
}
