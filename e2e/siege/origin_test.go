package siege_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/internal/apicalls"
	"capzone.dev/e2e/site"
)

// A page of another site, in the browser of a player who is logged in, tries every call of the API. It reads what
// everybody can read and what takes a personal token, changes nothing, and cookies count for none of it.
func TestOrigins_of_others(t *testing.T) {
	const origin = "https://elsewhere.example"
	victim := newPlayer(t)
	id := victim.Player.ID
	victim.Token = "" // which only the site's own page has; the cookies remain
	calls, err := apicalls.Read(t.Context(), victim)
	require.NoError(t, err)
	for _, call := range calls {
		isLogin := strings.HasPrefix(call.Path, "/auth/")
		isOpen := call.Method == http.MethodGet && !isLogin && takesPersonalToken(call.Operation)
		request := call.Request(id)
		request.Header = http.Header{"Origin": {origin}, "Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"cors"}}
		answer, err := victim.Send(t.Context(), request)
		require.NoError(t, err)
		checkOrigin(t, call.Method+" "+call.Path, answer, isOpen)
		switch {
		case isLogin && answer.Status != http.StatusForbidden,
			!isLogin && needsToken(call.Operation) && answer.Status != http.StatusUnauthorized:
			t.Errorf("%s %s with cookies: %d %s", call.Method, call.Path, answer.Status, answer.Body)
		}
		request.Method, request.Query = http.MethodOptions, nil
		request.Header.Set("Access-Control-Request-Method", call.Method)
		request.Header.Set("Access-Control-Request-Headers", "authorization")
		preflight, err := victim.Send(t.Context(), request)
		require.NoError(t, err)
		checkOrigin(t, "preflight of "+call.Method+" "+call.Path, preflight, isOpen)
	}
	if err := victim.Refresh(t.Context()); err != nil {
		t.Errorf("the session of the player: %v", err)
	}
}

// checkOrigin fails the test where a page of any site may read an answer although it must not, or the other way round.
func checkOrigin(t *testing.T, what string, answer site.Answer, isOpen bool) {
	t.Helper()
	want := ""
	if isOpen {
		want = "*"
	}
	if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want {
		t.Errorf("%s is open to %q, want %q", what, got, want)
	}
	if got := answer.Header.Get("Access-Control-Allow-Credentials"); got != "" {
		t.Errorf("%s allows credentials: %q", what, got)
	}
}

// needsToken reports whether an operation is only for those who have a token.
func needsToken(o *openapi3.Operation) bool {
	return o.Security != nil && !slices.ContainsFunc(*o.Security, isFree)
}

// takesPersonalToken reports whether an operation may be called with a personal token, or without a token.
func takesPersonalToken(o *openapi3.Operation) bool {
	return o.Security == nil || slices.ContainsFunc(*o.Security, func(r openapi3.SecurityRequirement) bool {
		_, personal := r["personalToken"]
		return personal || isFree(r)
	})
}

func isFree(r openapi3.SecurityRequirement) bool { return len(r) == 0 }
