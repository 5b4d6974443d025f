// Package contracttest tests that the routes that a service serves are those that its OpenAPI document describes. Its
// tests run beside the generated code, in the service's internal/httpapi; make generated compares that code.
package contracttest

import (
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/httpserve"
)

const (
	document = "../../api/openapi.yaml"
	base     = "/api/v1"
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
