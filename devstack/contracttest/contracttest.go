// Package contracttest tests that the routes that a service serves are those that its OpenAPI document describes. Its
// tests run beside the generated code, in the service's internal/httpapi; make generated compares that code.
package contracttest

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
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

// Routes fails tb when the routes that register gives an engine under /api/v1 and the document's operations differ, or
// when an operation that needs a token answers a request without one.
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
		for method, operation := range item.Operations() {
			documented = append(documented, method+" "+path)
			if needsToken(operation) {
				refusesStrangers(tb, engine, method, path, operation)
			}
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

// needsToken reports whether the operation's security is not optional.
func needsToken(o *openapi3.Operation) bool {
	return o.Security != nil && !slices.ContainsFunc(*o.Security, func(r openapi3.SecurityRequirement) bool {
		return len(r) == 0
	})
}

// refusesStrangers fails tb when an operation answers a request without a token with anything but 401.
func refusesStrangers(tb testing.TB, engine http.Handler, method, path string, o *openapi3.Operation) {
	tb.Helper()
	query := url.Values{}
	for _, p := range o.Parameters {
		if p.Value.In == "query" && p.Value.Required {
			query.Set(p.Value.Name, "x")
		}
	}
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, httptest.NewRequestWithContext(tb.Context(), method, base+path+"?"+query.Encode(), nil))
	if w.Code != http.StatusUnauthorized || w.Header().Get("Cache-Control") != "no-store" {
		tb.Errorf("%s %s without a token: %d %q", method, path, w.Code, w.Header().Get("Cache-Control"))
	}
}

var ginParameter = regexp.MustCompile(`:(\w+)`)
