package siege_test

import (
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

// A page of another site, in the browser of a player who is logged in, tries every call of the API. It reads what
// everybody can read and what takes a personal token, changes nothing, and cookies count for none of it.
func TestOrigins_of_others(t *testing.T) {
	const origin = "https://elsewhere.example"
	victim := newPlayer(t)
	id := victim.Player.ID
	victim.Token = "" // which only the site's own page has; the cookies remain
	document, err := openapi3.NewLoader().LoadFromData(read(t, victim, "/openapi.json"))
	require.NoError(t, err)
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			isLogin := strings.HasPrefix(path, "/auth/")
			isOpen := method == http.MethodGet && !isLogin && takesPersonalToken(operation)
			request := site.Request{
				Method: method, Path: pathParameter.ReplaceAllString(path, id),
				Header: http.Header{"Origin": {origin}, "Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"cors"}},
			}
			if path == "/events" { // a refusal ends, a stream does not
				request.Query = url.Values{"types": {"none"}}
			}
			answer, err := victim.Send(t.Context(), request)
			require.NoError(t, err)
			checkOrigin(t, method+" "+path, answer, isOpen)
			switch {
			case isLogin && answer.Status != http.StatusForbidden,
				!isLogin && needsToken(operation) && answer.Status != http.StatusUnauthorized:
				t.Errorf("%s %s with cookies: %d %s", method, path, answer.Status, answer.Body)
			}
			request.Method, request.Query = http.MethodOptions, nil
			request.Header.Set("Access-Control-Request-Method", method)
			request.Header.Set("Access-Control-Request-Headers", "authorization")
			preflight, err := victim.Send(t.Context(), request)
			require.NoError(t, err)
			checkOrigin(t, "preflight of "+method+" "+path, preflight, isOpen)
		}
	}
	if err := victim.Refresh(t.Context()); err != nil {
		t.Errorf("the session of the player: %v", err)
	}
}

// read returns the body of a path of the API.
func read(t *testing.T, v *site.Visitor, path string) []byte {
	t.Helper()
	answer, err := v.Send(t.Context(), site.Request{Path: path})
	require.NoError(t, err)
	return answer.Body
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

// needsToken reports whether nobody may call an operation without a token.
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
