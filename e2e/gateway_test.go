package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

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
