package apidoc

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// services are the documents that are merged, in the order of the page.
var services = []string{"auth", "maps", "records", "players"}

func TestTheDocumentIsWhatTheServicesSay(t *testing.T) {
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
		t.Errorf("openapi.json is stale: run `make generate` (-services +document):\n%s", diff)
	}
}

func TestTheDocumentIsValid(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func mergeOf(t *testing.T, documents ...string) (tree, error) {
	t.Helper()
	trees := make([]tree, 0, len(documents))
	for _, text := range documents {
		parsed, err := parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, parsed)
	}
	return merge(trees)
}

func TestWhatMayNotBeMerged(t *testing.T) {
	t.Parallel()
	for name, documents := range map[string][]string{
		"a path of two services":            {"paths: {/stats: {get: {}}}", "paths: {/stats: {get: {}}}"},
		"a schema with two different forms": {"components: {schemas: {P: {type: string}}}", "components: {schemas: {P: {type: integer}}}"},
	} {
		if _, err := mergeOf(t, documents...); err == nil {
			t.Errorf("%s is merged", name)
		}
	}
	if _, err := mergeOf(t, "components: {schemas: {P: {type: string}}}", "components: {schemas: {P: {type: string}}}"); err != nil {
		t.Errorf("a schema with one form: %v", err)
	}
}

func TestMergingKeepsTheAuthorsOrderAndValues(t *testing.T) {
	t.Parallel()
	merged, err := mergeOf(t, `{tags: [{name: z}], paths: {/z: {get: {b: 1, a: "1", c: [null, true, 1.5]}}}}`, "{tags: [{name: a}], paths: {/a: {}}}")
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(map[string]tree{"paths": merged.at("paths"), "tags": merged.at("tags")})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"paths":{"/z":{"get":{"b":1,"a":"1","c":[null,true,1.5]}},"/a":{}},"tags":[{"name":"z"},{"name":"a"}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestProseIsTheLittleMarkdownThatDocumentsUse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"one paragraph over two lines", "a\nb", "<p>a b</p>"},
		{"two paragraphs", "a\n\nb", "<p>a</p><p>b</p>"},
		{"code", "the `_id`", "<p>the <code>_id</code></p>"},
		{"a numbered list", "first:\n\n1. a\n   b;\n2. c\n\nend", "<p>first:</p><ol><li>a b;</li><li>c</li></ol><p>end</p>"},
		{"a list", "- a\n- b", "<ul><li>a</li><li>b</li></ul>"},
		{"a number in a sentence", "from 1. on", "<p>from 1. on</p>"},
		{"markup is text", "<script>alert(1)</script> & `<b>`", "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>&lt;b&gt;</code></p>"},
	} {
		if diff := cmp.Diff(tt.want, string(prose(tt.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestTypesAreToldInAFewWords(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{type: string}`:                                              "string",
		`{type: [string, "null"]}`:                                    "string or null",
		`{type: string, format: date-time}`:                           "string (date-time)",
		`{type: integer, format: int64}`:                              "integer",
		`{type: integer, minimum: 1, maximum: 100, default: 12}`:      "integer, 1 to 100, else <code>12</code>",
		`{type: string, maxLength: 64}`:                               "string, at most 64",
		`{type: array, items: {$ref: "#/components/schemas/M"}}`:      `list of <a href="#schema-M">M</a>`,
		`{oneOf: [{$ref: "#/components/schemas/M"}, {type: "null"}]}`: `<a href="#schema-M">M</a> or null`,
		`{type: string, enum: [asc, desc]}`:                           "<code>asc</code>, <code>desc</code>",
		`{}`:                                                          "any",
	} {
		parsed, err := parse([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(typeOf(parsed))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", schema, diff)
		}
	}
}

func TestThePageShowsEveryCallAndItsLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	rendered, err := renderPage(document)
	if err != nil {
		t.Fatal(err)
	}
	html := string(rendered)
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if !strings.Contains(html, `<article id="`+op.OperationID+`"`) {
				t.Errorf("%s %s is not on the page", method, path)
			}
		}
	}
	for _, link := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(html, -1) {
		if !strings.Contains(html, `id="`+link[1]+`"`) {
			t.Errorf("the link to #%s leads nowhere", link[1])
		}
	}
	if strings.Contains(html, "<script") || strings.Contains(html, "http://") || strings.Contains(html, "https://") {
		t.Error("the page loads something from elsewhere, or runs scripts")
	}
}
