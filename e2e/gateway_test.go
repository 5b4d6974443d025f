package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/e2e/site"
)

// specified are the calls that the site makes.
var specified = []struct{ method, path string }{
	{"GET", "/auth/refresh-token"}, {"POST", "/auth/logout"}, {"GET", "/auth/request-room-link"}, {"GET",
		"/auth/status"}, {"POST", "/auth/verify-code"},
	{"GET", "/maps/search"}, {"GET", "/maps/popular-tags"}, {"GET", "/maps/{id}"}, {"POST", "/maps/submit"},
	{"GET", "/stats"}, {"GET", "/records"}, {"GET", "/records/{id}"}, {"POST", "/records/submit"}, {"GET",
		"/download/replays/{id}"},
	{"GET", "/players/search"}, {"GET", "/players/{id}"}, {"PUT", "/players/{id}"},
}

var pathParameter = regexp.MustCompile(`\{[^}]+\}`)

func TestAPI_document(t *testing.T) {
	t.Parallel()
	answer := send(t, newVisitor(), site.Request{Path: "/openapi.json"})
	var document struct {
		OpenAPI string `json:"openapi"`
		Servers []struct {
			URL string `json:"url"`
		} `json:"servers"`
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(answer.Body, &document); err != nil || answer.Status != http.StatusOK {
		t.Fatalf("%d: %v", answer.Status, err)
	}
	if !strings.HasPrefix(document.OpenAPI, "3.1") || len(document.Servers) != 1 || document.Servers[0].URL != "/api/v1" {
		t.Errorf("OpenAPI %s at %v", document.OpenAPI, document.Servers)
	}
	for _, call := range specified {
		if document.Paths[call.path][strings.ToLower(call.method)] == nil {
			t.Errorf("%s %s is not in the document", call.method, call.path)
		}
	}
	methods := map[string]bool{"get": true, "post": true, "put": true, "patch": true, "delete": true}
	for path, operations := range document.Paths {
		for method := range operations {
			if !methods[method] {
				continue
			}
			t.Run(method+" "+path, func(t *testing.T) {
				concrete := pathParameter.ReplaceAllString(path, "01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55")
				request := site.Request{Method: strings.ToUpper(method), Path: concrete}
				if path == "/events" { // a refusal ends, a stream does not
					request.Query = url.Values{"types": {"none"}}
				}
				answer := send(t, newVisitor(), request)
				if answer.Status < http.StatusBadRequest {
					return
				}
				p := answer.Problem().(*site.Problem) //nolint:errorlint // made so
				whole(t, p)
				if p.Status >= http.StatusInternalServerError || p.Status == http.StatusMethodNotAllowed || p.Code == "not_found" {
					t.Errorf("it is not answered: %v", p)
				}
			})
		}
	}
	t.Run("and a page shows it", func(t *testing.T) {
		page := send(t, newVisitor(), site.Request{Path: "/docs"})
		if page.Status != http.StatusOK || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%d %s", page.Status, page.Header.Get("Content-Type"))
		}
	})
}

func TestGateway_deep_links(t *testing.T) {
	t.Parallel()
	browser := http.Header{"Accept": {"text/html,application/xhtml+xml,*/*;q=0.8"}}
	home := send(t, newVisitor(), site.Request{Path: "/privacy", AtRoot: true, Header: browser})
	for _, path := range []string{
		"/player-search", "/map-submit", "/replay-submit", "/login-with-bonk",
		"/mapSeries/anything/at/all", "/events", "/privacy",
	} {
		answer := send(t, newVisitor(), site.Request{Path: path, AtRoot: true, Header: browser})
		if answer.Status != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") ||
			string(answer.Body) != string(home.Body) {
			t.Errorf("%s: %d %s, %d bytes", path, answer.Status, answer.Header.Get("Content-Type"), len(answer.Body))
		}
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'self'") ||
			strings.Contains(policy, "unsafe-eval") {
			t.Errorf("%s: Content-Security-Policy: %s", path, policy)
		}
	}
	for _, path := range []string{"/assets/none.js", "/favicon-of-another.ico", "/../../../../etc/passwd",
		"/.git/config"} {
		if answer := send(t, newVisitor(), site.Request{Path: path, AtRoot: true}); answer.Status == http.StatusOK &&
			string(answer.Body) != string(home.Body) {
			t.Errorf("%s: %d, %d bytes", path, answer.Status, len(answer.Body))
		}
	}
}

func TestAPI_unknown_addresses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		method, path string
		status       int
	}{
		{"GET", "/unknown", 404}, {"GET", "/", 404}, {"POST", "/maps", 404}, {"GET", "/maps/a/b", 404}, {"GET", "/auth/",
			404},
		{"GET", "/.well-known/jwks.json", 404}, {"GET", "/../v1/unknown", 404},
		{"DELETE", "/maps/search", 405}, {"POST", "/stats", 405}, {"GET", "/records/submit", 404}, {"GET", "/auth/logout",
			405}, {"POST", "/auth/refresh-token", 405},
	}
	for _, c := range cases {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			answer := send(t, newVisitor(), site.Request{Method: c.method, Path: c.path})
			if answer.Status != c.status {
				t.Fatalf("%d %s, want %d", answer.Status, answer.Body, c.status)
			}
			whole(t, answer.Problem().(*site.Problem)) //nolint:errorlint // made so
		})
	}
}

func TestTraces_names(t *testing.T) {
	t.Parallel()
	const claimed = "0000-claimed-by-the-client"
	seen := map[string]bool{}
	for range 3 {
		answer := send(t, newVisitor(), site.Request{Path: "/maps/nonsense", Header: http.Header{"X-Request-Id": {claimed}}})
		p := refusal(t, answer, http.StatusNotFound, "map_unknown")
		if p.RequestID == claimed || seen[p.RequestID] {
			t.Errorf("the request is named %s", p.RequestID)
		}
		if got := answer.Header.Get("X-Request-Id"); got != p.RequestID {
			t.Errorf("the header says %s, the answer %s", got, p.RequestID)
		}
		seen[p.RequestID] = true
	}
}

func TestHeaders_security(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/stats", "/unknown"} {
		answer := send(t, newVisitor(), site.Request{Path: path})
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "frame-ancestors 'none'",
			"Referrer-Policy": "strict-origin",
		} {
			if got := answer.Header.Get(name); !strings.Contains(got, want) {
				t.Errorf("%s: %s: %q", path, name, got)
			}
		}
		for _, name := range []string{"Server", "X-Powered-By", "Access-Control-Allow-Origin"} {
			if got := answer.Header.Get(name); got != "" {
				t.Errorf("%s: %s: %q", path, name, got)
			}
		}
	}
}

func TestGateway_health(t *testing.T) {
	t.Parallel()
	if answer := send(t, newVisitor(), site.Request{Path: "/healthz", AtRoot: true}); answer.Status != http.StatusOK {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
}

func TestAPI_malformed_forms(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	for name, r := range map[string]site.Request{
		"JSON": {Body: strings.NewReader(`{"replayFile":"x"}`),
			Header: http.Header{"Content-Type": {"application/json"}}},
		"nothing": {},
		"a form cut short": {
			Body:   strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"replayFile\"; filename=\"a\"\r\n\r\nabc"),
			Header: http.Header{"Content-Type": {"multipart/form-data; boundary=x"}},
		},
		"one without a limit": {Body: strings.NewReader("replayFile=x"),
			Header: http.Header{"Content-Type": {"multipart/form-data"}}},
	} {
		for _, path := range []string{"/maps/submit", "/records/submit"} {
			t.Run(path+" with "+name, func(t *testing.T) {
				r := r
				r.Method, r.Path = http.MethodPost, path
				answer := send(t, v, r)
				if answer.Status != http.StatusBadRequest && answer.Status != http.StatusUnsupportedMediaType {
					t.Fatalf("%d %s", answer.Status, answer.Body)
				}
				whole(t, answer.Problem().(*site.Problem)) //nolint:errorlint // made so
			})
		}
	}
}
