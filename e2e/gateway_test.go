package e2e_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/internal/apicalls"
	"capzone.dev/e2e/site"
)

// Every call of the document arrives at a service that knows it, and what is refused is refused in the envelope.
func TestAPI_document(t *testing.T) {
	t.Parallel()
	calls, err := apicalls.Read(t.Context(), newVisitor())
	require.NoError(t, err)
	for _, call := range calls {
		answer := send(t, newVisitor(), call.Request("01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55"))
		if answer.Status < http.StatusBadRequest {
			continue
		}
		p := answer.Problem().(*site.Problem) //nolint:errorlint // made so
		whole(t, p)
		if p.Status >= http.StatusInternalServerError || p.Status == http.StatusMethodNotAllowed || p.Code == "not_found" {
			t.Errorf("%s %s is not answered: %v", call.Method, call.Path, p)
		}
	}
}

// Every list refuses values that its parameters do not have, and cursors that it has not given.
func TestAPI_unknown_values(t *testing.T) {
	t.Parallel()
	calls, err := apicalls.Read(t.Context(), newVisitor())
	require.NoError(t, err)
	moderator := withRole(t, "moderator")
	for _, call := range calls {
		if call.Method != http.MethodGet {
			continue
		}
		for _, p := range call.Operation.Parameters {
			name, schema := p.Value.Name, p.Value.Schema.Value
			isCursor := slices.Contains([]string{"after", "before"}, name)
			isFree := schema.Type.Is("string") && schema.Enum == nil && schema.Format == ""
			if p.Value.In != "query" || isFree && !isCursor && name != "mode" {
				continue
			}
			request := call.Request(moderator.Player.ID)
			request.Query = url.Values{name: {"nonsense"}}
			answer := send(t, moderator, request)
			if answer.Status != http.StatusBadRequest {
				t.Errorf("%s with an unknown %s: %d %s", call.Path, name, answer.Status, answer.Body)
			}
		}
	}
}
