// Package contracttest holds a service to its OpenAPI document: the routes that it serves are those that the
// document describes, and the generated code is what the document generates. Its tests run beside the generated
// code, in the service's internal/httpapi.
package contracttest

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/httpserve"
)

// generator is the module version that every go:generate line names.
const generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"

const (
	document  = "../../api/openapi.yaml"
	config    = "../../api/oapi-codegen.yaml"
	generated = "openapi.gen.go"
	base      = "/api/v1"
)

// Routes fails tb when the routes that register gives an engine under /api/v1 and the document's operations differ.
func Routes(tb testing.TB, register func(engine *gin.Engine)) {
	tb.Helper()
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	register(engine)
	doc, err := openapi3.NewLoader().LoadFromFile(document)
	if err != nil {
		tb.Fatalf("the OpenAPI document cannot be read: %v", err)
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
		tb.Errorf("the document and the routes differ (-documented +served):\n%s", diff)
	}
}

var ginParameter = regexp.MustCompile(`:(\w+)`)

// Generated fails tb when the generated code is not what the generator makes of the document.
func Generated(tb testing.TB) {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "go", "run", generator, "-config", config, document)
	cmd.Stderr = tb.Output()
	want, err := cmd.Output()
	if err != nil {
		tb.Fatalf("%s: %v", strings.Join(cmd.Args, " "), err)
	}
	got, err := os.ReadFile(generated)
	if err != nil {
		tb.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		tb.Errorf("%s is stale: run `make generate`\n%s", generated, cmp.Diff(string(got), string(want)))
	}
}
