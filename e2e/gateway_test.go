package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

var pathParameter = regexp.MustCompile(`\{[^}]+\}`)

// Every call of the document arrives at a service that knows it, and what is refused is refused in the envelope.
func TestAPI_document(t *testing.T) {
	t.Parallel()
	answer := send(t, newVisitor(), site.Request{Path: "/openapi.json"})
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(answer.Body, &document); err != nil || len(document.Paths) == 0 {
		t.Fatalf("%d: %d paths, %v", answer.Status, len(document.Paths), err)
	}
	for path, operations := range document.Paths {
		for method := range operations {
			if !slices.Contains([]string{"get", "post", "put", "patch", "delete"}, method) {
				continue
			}
			request := site.Request{
				Method: strings.ToUpper(method), Path: pathParameter.ReplaceAllString(path, "01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55"),
			}
			if path == "/events" { // a refusal ends, a stream does not
				request.Query = url.Values{"types": {"none"}}
			}
			answer := send(t, newVisitor(), request)
			if answer.Status < http.StatusBadRequest {
				continue
			}
			p := answer.Problem().(*site.Problem) //nolint:errorlint // made so
			whole(t, p)
			if p.Status >= http.StatusInternalServerError || p.Status == http.StatusMethodNotAllowed || p.Code == "not_found" {
				t.Errorf("%s %s is not answered: %v", method, path, p)
			}
		}
	}
}

// Every list refuses values that its parameters do not have, and cursors that it has not given.
func TestAPI_unknown_values(t *testing.T) {
	t.Parallel()
	document, err := openapi3.NewLoader().LoadFromData(send(t, newVisitor(), site.Request{Path: "/openapi.json"}).Body)
	require.NoError(t, err)
	moderator := withRole(t, "moderator")
	for path, item := range document.Paths.Map() {
		if item.Get == nil {
			continue
		}
		for _, p := range item.Get.Parameters {
			name, schema := p.Value.Name, p.Value.Schema.Value
			isCursor := slices.Contains([]string{"after", "before"}, name)
			isFree := schema.Type.Is("string") && schema.Enum == nil && schema.Format == ""
			if p.Value.In != "query" || isFree && !isCursor && name != "mode" {
				continue
			}
			answer := send(t, moderator, site.Request{
				Path: pathParameter.ReplaceAllString(path, moderator.Player.ID), Query: url.Values{name: {"nonsense"}},
			})
			if answer.Status != http.StatusBadRequest {
				t.Errorf("%s with an unknown %s: %d %s", path, name, answer.Status, answer.Body)
			}
		}
	}
}
