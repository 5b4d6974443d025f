package apidoc

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
)

// services are the documents that are merged, in the order of the page.
var services = []string{"auth", "maps", "records", "players"}

func TestDocument_is_the_merge_of_the_services(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, len(services))
	for _, service := range services {
		names = append(names, filepath.Join("..", "..", "..", "services", service, "api", "openapi.yaml"))
	}
	want, err := MergeFiles(names...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(document)); diff != "" {
		t.Errorf("openapi.json is stale, run `make generate` (-services +document):\n%s", diff)
	}
}

func TestDocument_is_valid(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(Document())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, first, second, want string }{
		{"a path in two documents", "paths: {/stats: {get: {}}}", "paths: {/stats: {get: {}}}", ""},
		{
			"two schemas of one name", "components: {schemas: {P: {type: string}}}",
			"components: {schemas: {P: {type: integer}}}", "",
		},
		{
			"one schema in two documents", "components: {schemas: {P: {type: string}}}",
			"components: {schemas: {P: {type: string}}}", `"components":{"schemas":{"P":{"type":"string"}}}`,
		},
		{
			"the order and the types of the files", `paths: {/z: {get: {b: 1, a: "1", c: [null, true, 1.5]}}}`,
			"paths: {/a: {}}", `"paths":{"/z":{"get":{"b":1,"a":"1","c":[null,true,1.5]}},"/a":{}}`,
		},
	} {
		merged, err := merge([][]byte{[]byte(tt.first), []byte(tt.second)})
		if got := strings.NewReplacer("\n", "", " ", "").Replace(string(merged)); (err != nil) != (tt.want == "") ||
			!strings.Contains(got, tt.want) {
			t.Errorf("%s: %v\n%s", tt.name, err, got)
		}
	}
}

func TestQueryParameters(t *testing.T) {
	t.Parallel()
	parameters, err := QueryParameters()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"map", "player", "sortBy", "sortDir", "offset", "limit"},
		parameters["/records"]); diff != "" {
		t.Errorf("/records (-want +got):\n%s", diff)
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	built := t.TempDir()
	if err := os.WriteFile(filepath.Join(built, "api-docs.html"), []byte("<title>built</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, webDir, want string }{
		{"the page of the built application", built, "<title>built</title>"},
		{"no built application", "", "not built"},
		{"a folder without the page", t.TempDir(), "not built"},
	} {
		engine := gin.New()
		Register(engine, tt.webDir)
		answer := httptest.NewRecorder()
		engine.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/docs", nil))
		if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), tt.want) {
			t.Errorf("%s: %d %s", tt.name, answer.Code, answer.Body)
		}
		if policy := answer.Header().Get("Content-Security-Policy"); policy != pagePolicy {
			t.Errorf("%s: the policy is %q", tt.name, policy)
		}
	}
}
