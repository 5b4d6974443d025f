// Package contracttest holds a service to its OpenAPI document: the routes that
// it serves are those that the document describes, and the generated code is
// what the document generates.
package contracttest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
)

// generator is the module version that every go:generate line names.
const generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"

// Routes fails t when the engine's routes under base ("/api/v1") and the
// operations of an OpenAPI document differ.
func Routes(t testing.TB, engine *gin.Engine, base string, document []byte) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatalf("the OpenAPI document cannot be read: %v", err)
	}
	var documented []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			documented = append(documented, method+" "+path)
		}
	}
	var served []string
	for _, r := range engine.Routes() {
		if path, ok := strings.CutPrefix(r.Path, base); ok {
			served = append(served, r.Method+" "+ginParameter.ReplaceAllString(path, "{$1}"))
		}
	}
	slices.Sort(documented)
	slices.Sort(served)
	if diff := cmp.Diff(documented, served); diff != "" {
		t.Errorf("the document and the routes differ (-documented +served):\n%s", diff)
	}
}

var ginParameter = regexp.MustCompile(`:(\w+)`)

// Generated fails t when the file generated is not what the generator makes of
// the document with the configuration (paths, relative to the test's folder).
func Generated(t testing.TB, config, document, generated string) {
	t.Helper()
	fresh := filepath.Join(t.TempDir(), "fresh.go")
	cmd := exec.CommandContext(t.Context(), "go", "run", generator, "-config", withoutOutput(t, config), "-o", fresh, document)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(generated)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s is stale: run `make generate`\n%s", generated, cmp.Diff(string(got), string(want)))
	}
}

// withoutOutput returns a copy of a configuration that does not say where the
// code goes: the generator would believe it more than its -o.
func withoutOutput(t testing.TB, config string) string {
	t.Helper()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(copied, outputLine.ReplaceAll(text, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

var outputLine = regexp.MustCompile(`(?m)^output:.*$`)
