package apidoc

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/webapp"
)

var update = flag.Bool("update", false, "write openapi.json anew")

func TestDocument_is_the_merge_of_the_services(t *testing.T) {
	t.Parallel()
	var folders []string
	for _, service := range route.Services() {
		folders = append(folders, filepath.Join("services", string(service)))
	}
	var documents [][]byte
	for _, folder := range append(folders, "gateway") {
		document, err := os.ReadFile(filepath.Join("..", "..", "..", folder, "api", "openapi.yaml"))
		require.NoError(t, err)
		documents = append(documents, document)
	}
	want, err := merge(documents)
	require.NoError(t, err)
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil { //nolint:gosec // others may read it
			t.Fatal(err)
		}
		return
	}
	assert.Equal(t, "openapi.json is stale, run `make generate`", string(want), string(document))
}

func TestDocument_is_valid(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(Document())
	require.NoError(t, err)
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
	require.NoError(t, err)
	if diff := cmp.Diff([]string{"map", "player", "around", "following", "sortBy", "sortDir", "offset", "after",
		"limit"},
		parameters["/records"]); diff != "" {
		t.Errorf("/records (-want +got):\n%s", diff)
	}
}

// How many calls for a player a token opens, by the first part of their paths and the scope that it needs.
func TestTokenScopes(t *testing.T) {
	t.Parallel()
	scopes, err := TokenScopes()
	require.NoError(t, err)
	got := map[string]int{}
	for _, r := range append(slices.Clone(route.Table), route.Own()...) {
		path, _ := r.DocumentedPath()
		if scope, takesToken := scopes[r.Method+" "+path]; takesToken && r.NeedsToken {
			got[strings.Split(path, "/")[1]+" "+string(scope)]++
		}
	}
	want := map[string]int{
		"records records:submit": 1, "records ": 2, "inbox inbox:read": 3, "follows follows": 7, "webhooks webhooks": 9,
	}
	assert.Equal(t, "calls that take a token", want, got)
}

func TestRegister(t *testing.T) {
	t.Parallel()
	built := t.TempDir()
	for _, name := range []string{"index.html", "api-docs.html"} {
		require.NoError(t, os.WriteFile(filepath.Join(built, name), []byte("<title>built</title>"), 0o600))
	}
	for _, tt := range []struct{ name, webDir, want string }{
		{"the page of the built application", built, "<title>built</title>"},
		{"no built application", "", "has not been built"},
		{"a folder without the application", t.TempDir(), "has not been built"},
	} {
		engine := gin.New()
		Register(engine, webapp.New(tt.webDir))
		answer := httptest.NewRecorder()
		engine.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/api/v1/docs", nil))
		if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), tt.want) {
			t.Errorf("%s: %d %s", tt.name, answer.Code, answer.Body)
		}
		if policy := answer.Header().Get("Content-Security-Policy"); policy != pagePolicy {
			t.Errorf("%s: the policy is %q", tt.name, policy)
		}
	}
}
