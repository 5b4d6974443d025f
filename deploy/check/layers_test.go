package check

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	adapterFile = regexp.MustCompile(`^services/([a-z]+)/internal/(files|httpapi|natsapi|postgres|redis)/`)
	adapterPath = regexp.MustCompile(
		`^"capzone\.dev/services/([a-z]+)/internal/(app|files|httpapi|natsapi|postgres|redis)("|/)`,
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
