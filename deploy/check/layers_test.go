package check

import (
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	adapterFile = regexp.MustCompile(`^services/([a-z]+)/internal/(files|httpapi|natsapi|postgres|receivers|redis)/`)
	adapterPath = regexp.MustCompile(
		`^"capzone\.dev/services/([a-z]+)/internal/(app|files|httpapi|natsapi|postgres|receivers|redis)("|/)`,
	)
)

// TestAdapters_Imports expects that an adapter of a service imports no other adapter, nor the wiring in app.
func TestAdapters_Imports(t *testing.T) {
	t.Parallel()
	checked := map[string]bool{}
	goFiles(t, func(path string, file *ast.File) {
		path, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		adapter := adapterFile.FindStringSubmatch(filepath.ToSlash(path))
		if adapter == nil || strings.HasSuffix(path, "_test.go") {
			return
		}
		checked[adapter[1]] = true
		for _, spec := range file.Imports {
			imported := adapterPath.FindStringSubmatch(spec.Path.Value)
			if imported != nil && (imported[1] != adapter[1] || imported[2] != adapter[2]) {
				t.Errorf("%s imports %s", path, spec.Path.Value)
			}
		}
	})
	for _, name := range serviceNames(t, anyService) {
		if !checked[name] {
			t.Errorf("no adapter of %s was found", name)
		}
	}
}

var (
	noDomain   = regexp.MustCompile(`^(app|files|httpapi|natsapi|postgres|receivers|redis|[a-z]+test)$`)
	technology = regexp.MustCompile(`^github\.com/(gin-gonic|jackc|minio|nats-io|prometheus|redis)/`)
)

// TestDomains_Dependencies expects that a domain needs no database, broker, storage or router, not even through a
// package of platform.
func TestDomains_Dependencies(t *testing.T) {
	t.Parallel()
	packages := []string{"./bot/internal/verification"}
	for _, name := range serviceNames(t, anyService) {
		folder := "./services/" + name + "/internal"
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			t.Fatal(err)
		}
		before := len(packages)
		for _, entry := range entries {
			if !noDomain.MatchString(entry.Name()) {
				packages = append(packages, folder+"/"+entry.Name())
			}
		}
		if len(packages) == before {
			t.Errorf("no domain of %s was found", name)
		}
	}
	arguments := append([]string{"list", "-f", `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`}, packages...)
	list := exec.CommandContext(t.Context(), "go", arguments...)
	list.Dir = root
	lines, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		domain, dependencies, _ := strings.Cut(line, " ")
		for dependency := range strings.FieldsSeq(dependencies) {
			if technology.MatchString(dependency) {
				t.Errorf("%s needs %s", domain, dependency)
			}
		}
	}
}
