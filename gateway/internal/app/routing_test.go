package app_test

import (
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/httpserve"
)

func TestGateway_routes(t *testing.T) {
	t.Parallel()
	b, services := exporting(t)
	for _, r := range route.Table {
		if r.NeedsSession {
			continue // TestGateway_session_that_has_ended
		}
		uri := route.Fill(r.Path, playerID, recordID)
		if got := b.send(t, r.Method, uri, nil, b.bearer(t, playerID)...); got.status != http.StatusOK {
			t.Errorf("%s %s: %d %s", r.Method, uri, got.status, got.body)
			continue
		}
		if last := services[r.Service].last(t); last.method != r.Method || last.uri != uri {
			t.Errorf("%s %s arrived as %s %s", r.Method, uri, last.method, last.uri)
		}
	}
}

// HEAD is answered where GET is, but for the login, whose GETs change something.
func TestGateway_HEAD(t *testing.T) {
	t.Parallel()
	b, _ := exporting(t)
	for _, r := range append(slices.Clone(route.Table), route.Own()...) {
		if r.Method != http.MethodGet || r.Path == route.Events.Path {
			continue
		}
		want := http.StatusOK
		if r.IsLogin() {
			want = http.StatusMethodNotAllowed
		}
		path := route.Fill(r.Path, playerID, recordID)
		if got := b.send(t, http.MethodHead, path, nil, b.bearer(t, playerID)...); got.status != want || got.body != "" {
			t.Errorf("%s: %d %q, want %d", path, got.status, got.body, want)
		}
	}
	for _, path := range []string{"/", "/api/v1/docs", "/api/v1/openapi.json", "/robots.txt"} {
		if got := b.send(t, http.MethodHead, path, nil); got.status != http.StatusOK {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

func TestGateway_query(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, path := range []string{"/api/v1/maps/search?name=x;y", "/api/v1/players/search?name=%zz",
		"/api/v1/records?page=0;x", "/api/v1/auth/status?sessionId=%", "/oembed?url=%zz",
		"/api/v1/download/replays/" + playerID + "?a;b"} {
		if got := b.get(t, path); got.status != http.StatusBadRequest || got.failure(t).Code != "query_malformed" {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if asked := append(b.maps.requests(), b.auth.requests()...); len(asked) > 0 {
		t.Errorf("the services were asked %v", asked)
	}
	b.get(t, "/api/v1/maps/search?page=&name=sky&limit")
	if got := b.maps.last(t).uri; got != "/api/v1/maps/search?name=sky" {
		t.Errorf("the service was asked %s", got)
	}
	if got := b.get(t, "/map-search?name=%zz"); got.status != http.StatusOK {
		t.Errorf("a page of the application: %d", got.status)
	}
}

// Each call of a service's document is a route of this service, which needs a token where the document says so.
func TestTable_matches_the_documents(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	contracts := map[route.Service]string{"": filepath.Join(root, "gateway")}
	for _, name := range route.Services() {
		contracts[name] = filepath.Join(root, "services", string(name))
	}
	var documented, routed []string
	for service, folder := range contracts {
		doc, err := openapi3.NewLoader().LoadFromFile(filepath.Join(folder, "api", "openapi.yaml"))
		require.NoError(t, err)
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				documented = append(documented, strings.Join([]string{method, path, string(service),
					needsToken(requiresToken(op))}, " "))
			}
		}
	}
	for _, r := range append(slices.Clone(route.Table), route.Own()...) {
		if path, ok := r.DocumentedPath(); ok {
			routed = append(routed, strings.Join([]string{r.Method, path, string(r.Service),
				needsToken(r.NeedsToken)}, " "))
		}
	}
	slices.Sort(documented)
	slices.Sort(routed)
	assert.Equal(t, "the documents and the table differ", documented, routed)
}

// requiresToken reports whether a call has security requirements, and none of them is empty.
func requiresToken(op *openapi3.Operation) bool {
	return op.Security != nil && len(*op.Security) > 0 &&
		!slices.ContainsFunc(*op.Security, func(r openapi3.SecurityRequirement) bool { return len(r) == 0 })
}

func needsToken(needs bool) string {
	if needs {
		return "with a token"
	}
	return "for everybody"
}

func TestGateway_documentation(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	got := b.get(t, "/api/v1/openapi.json")
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/json; charset=utf-8" ||
		got.body != string(apidoc.Document()) {
		t.Errorf("the document: %d %s", got.status, got.header.Get("Content-Type"))
	}
	page := b.get(t, "/api/v1/docs")
	if page.status != http.StatusOK || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") ||
		!strings.Contains(page.body, "openapi.json") {
		t.Errorf("the page: %d %s", page.status, page.header.Get("Content-Type"))
	}
	if again := b.get(t, "/api/v1/openapi.json", "If-None-Match",
		got.header.Get("ETag")); again.status != http.StatusNotModified {
		t.Errorf("the document again: %d", again.status)
	}
}

func TestGateway_paths_without_a_service(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, tt := range []struct {
		name, method, path string
		status             int
	}{
		{"the site", "GET", "/", 200},
		{"a deep link", "GET", "/map-search", 200},
		{"the gateway's health", "GET", "/healthz", 200},
		{"an unknown call", "GET", "/api/v1/nonsense", 404},
		{"a call without its version", "GET", "/api/stats", 404},
		{"a call with a slash too many", "GET", "/api/v1//stats", 404},
		{"a NATS subject", "GET", "/rpc.v1.players.get", 404},
		{"the published keys", "GET", "/.well-known/jwks.json", 404},
		{"the readiness check", "GET", "/readyz.json", 404},
		{"a wrong method", "DELETE", "/api/v1/stats", 405},
		{"a folder of media", "GET", "/media/maps/", 404},
	} {
		got := b.send(t, tt.method, tt.path, nil, "Accept", "text/html,*/*")
		if got.status != tt.status {
			t.Errorf("%s: %d, want %d: %s", tt.name, got.status, tt.status, got.body)
		}
		if tt.status >= 400 {
			if f := got.failure(t); f.Code == "" || f.RequestID == "" {
				t.Errorf("%s has no envelope: %s", tt.name, got.body)
			}
		}
	}
}

func TestGateway_request_headers(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	got := b.get(t, "/api/v1/download/replays/"+playerID,
		"X-Client-Address", "6.6.6.6", "X-Request-Id", "forged-request-id", "X-Service", "maps",
		"X-Real-Ip", "6.6.6.6", "Forwarded", "for=6.6.6.6",
		"X-Forwarded-For", "6.6.6.6, 198.51.100.4", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "evil.example",
		"Connection", "X-Secret, Upgrade", "X-Secret", "hop", "Upgrade", "websocket", "Expect", "100-continue",
		"Keep-Alive", "timeout=5", "Range", "bytes=0-0,2-3",
		"Authorization", "Bearer nonsense", "Cookie", "a=b")
	if got.status != http.StatusOK {
		t.Fatal(got.status, got.body)
	}
	header := b.records.last(t).header
	id := header.Get("X-Request-Id")
	if uuid.Validate(id) != nil || got.header.Get("X-Request-Id") != id || len(got.header.Values("X-Request-Id")) != 1 {
		t.Errorf("the service got id %q, the client %q", id, got.header.Values("X-Request-Id"))
	}
	want := http.Header{
		"Accept-Encoding":  nil,
		"User-Agent":       {"Go-http-client/1.1"},
		"Authorization":    {"Bearer nonsense"},
		"X-Client-Address": {"198.51.100.4"},
		"X-Request-Id":     {id},
		"X-Service":        {"records"},
	}
	delete(want, "Accept-Encoding")
	assert.Equal(t, "the headers that the service got", want, header)
}

func TestGateway_forwarded_address_without_trusted_proxies(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) { cfg.TrustedProxies = nil })
	b.get(t, "/api/v1/download/replays/"+playerID, from("198.51.100.4")...)
	if got := b.records.last(t).header.Get(httpserve.ClientAddressHeader); got != "127.0.0.1" {
		t.Errorf("the service got %q", got)
	}
}

func TestGateway_security_headers(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.players.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src *")
		w.Header().Set("Server", "players/1.2.3")
		_, _ = io.WriteString(w, "image")
	})
	for path, policy := range map[string]string{
		"/":                           "default-src 'self'",
		"/api/v1/docs":                "default-src 'none'",
		"/media/skins/abc.webp":       "default-src 'none'",
		"/media/maps/abc.svg":         "default-src 'none'; sandbox;",
		"/api/v1/players/" + playerID: "default-src 'none'",
		"/api/v1/players/" + playerID + "/preview.png": "default-src 'none'",
		"/api/v1/nonsense":                "default-src 'self'",
		"/api/v1/records?limit=too%20big": "default-src 'none'",
	} {
		got := b.get(t, path, "Accept", "text/html")
		resourcePolicy := "same-origin"
		if strings.HasPrefix(path, "/media/") || strings.HasSuffix(path, "/preview.png") {
			resourcePolicy = "cross-origin"
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": resourcePolicy,
			"Strict-Transport-Security": "max-age=31536000",
		} {
			if diff := cmp.Diff([]string{want}, got.header.Values(name)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", path, name, diff)
			}
		}
		csp := got.header.Values("Content-Security-Policy")
		if len(csp) != 1 || !strings.HasPrefix(csp[0], policy) || !strings.Contains(csp[0], "frame-ancestors 'none'") {
			t.Errorf("%s has the policies %q", path, csp)
		}
		if got.header.Get("Server") != "" {
			t.Errorf("%s has the header Server: %q", path, got.header.Get("Server"))
		}
	}
	plain := setup(t, func(cfg *app.Config, _ *bundle) { cfg.PublicURL.Scheme = "http" })
	if got := plain.get(t, "/").header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("a site without TLS has Strict-Transport-Security: %q", got)
	}
}
