package app_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/httpserve"
)

func TestGateway_routes(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, tt := range []struct {
		method, uri string
		service     *stub
	}{
		{"GET", "/api/v1/auth/request-room-link", b.auth},
		{"GET", "/api/v1/auth/status?sessionId=s", b.auth},
		{"POST", "/api/v1/auth/verify-code", b.auth},
		{"GET", "/api/v1/auth/refresh-token", b.auth},
		{"POST", "/api/v1/auth/logout", b.auth},
		{"GET", "/api/v1/maps/search?name=a+b&tags=x,y", b.maps},
		{"GET", "/api/v1/maps/popular-tags", b.maps},
		{"GET", "/api/v1/maps/listed?name=sky&page=2", b.maps},
		{"GET", "/api/v1/maps/listed/" + recordID, b.maps},
		{"GET", "/api/v1/maps/" + playerID, b.maps},
		{"POST", "/api/v1/maps/submit", b.maps},
		{"GET", "/api/v1/records?map=m&sortBy=finishTime,finishTimeStamp", b.records},
		{"GET", "/api/v1/records/" + playerID, b.records},
		{"GET", "/api/v1/records/starters", b.records},
		{"GET", "/api/v1/records/goals", b.records},
		{"POST", "/api/v1/records/goals/" + playerID + "/put-aside", b.records},
		{"DELETE", "/api/v1/records/goals/" + playerID + "/put-aside", b.records},
		{"POST", "/api/v1/records/submit", b.records},
		{"GET", "/api/v1/download/replays/" + playerID, b.records},
		{"GET", "/api/v1/stats", b.records},
		{"GET", "/api/v1/players/search", b.players},
		{"GET", "/api/v1/players/" + playerID, b.players},
		{"GET", "/api/v1/players/" + playerID + "/preview.png", b.players},
		{"GET", "/api/v1/players/" + playerID + "/statistics", b.records},
		{"GET", "/api/v1/players/" + playerID + "/improvements?limit=5", b.records},
		{"GET", "/api/v1/players/" + playerID + "/improvements/" + recordID, b.records},
		{"GET", "/api/v1/players/" + playerID + "/points", b.records},
		{"GET", "/api/v1/players/" + playerID + "/points/history", b.records},
		{"GET", "/api/v1/maps/" + playerID + "/points", b.records},
		{"GET", "/api/v1/rankings?by=worldRecords&page=2", b.records},
		{"GET", "/api/v1/players/" + playerID + "/compare/" + recordID + "/preview.png", b.records},
		{"GET", "/api/v1/players/ids?page=2", b.players},
		{"PUT", "/api/v1/players/" + playerID, b.players},
		{"GET", "/media/maps/abc-480.webp", b.maps},
		{"HEAD", "/media/maps/abc.webp", b.maps},
		{"GET", "/media/skins/abc.webp", b.players},
		{"HEAD", "/media/skins/abc.webp", b.players},
	} {
		got := b.send(t, tt.method, tt.uri, nil, b.bearer(t, playerID)...)
		if got.status != http.StatusOK {
			t.Errorf("%s %s: %d %s", tt.method, tt.uri, got.status, got.body)
			continue
		}
		if last := tt.service.last(t); last.method != tt.method || last.uri != tt.uri {
			t.Errorf("%s %s arrived as %s %s", tt.method, tt.uri, last.method, last.uri)
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

func TestTable_matches_the_document(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(apidoc.Document())
	if err != nil {
		t.Fatal(err)
	}
	var documented, routed []string
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			documented = append(documented, strings.Join([]string{method, path,
				needsToken(requiresToken(op))}, " "))
		}
	}
	for _, r := range append(slices.Clone(route.Table), route.Own()...) {
		if path, ok := r.DocumentedPath(); ok {
			routed = append(routed, strings.Join([]string{r.Method, path, needsToken(r.NeedsToken)}, " "))
		}
	}
	slices.Sort(documented)
	slices.Sort(routed)
	if diff := cmp.Diff(documented, routed); diff != "" {
		t.Errorf("the document and the table differ (-documented +routed):\n%s", diff)
	}
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
		"Keep-Alive", "timeout=5",
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
	if diff := cmp.Diff(want, header); diff != "" {
		t.Errorf("the headers that the service got (-want +got):\n%s", diff)
	}
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
		"/":                               "default-src 'self'",
		"/api/v1/docs":                    "default-src 'none'",
		"/media/skins/abc.webp":           "default-src 'none'",
		"/media/maps/abc.svg":             "default-src 'none'; sandbox;",
		"/api/v1/players/" + playerID:     "default-src 'none'",
		"/api/v1/nonsense":                "default-src 'self'",
		"/api/v1/records?limit=too%20big": "default-src 'none'",
	} {
		got := b.get(t, path, "Accept", "text/html")
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
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
	preview := b.get(t, "/api/v1/players/"+playerID+"/preview.png")
	if got := preview.header.Values("Cross-Origin-Resource-Policy"); len(got) != 1 || got[0] != "cross-origin" {
		t.Errorf("the picture of a preview has Cross-Origin-Resource-Policy: %q", got)
	}
	plain := setup(t, func(cfg *app.Config, _ *bundle) { cfg.PublicURL.Scheme = "http" })
	if got := plain.get(t, "/").header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("a site without TLS has Strict-Transport-Security: %q", got)
	}
}

func TestGateway_entity_tags(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.maps.answers(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.WriteString(w, "page")
	})
	if got := b.get(t, "/api/v1/maps/search"); got.header.Get("ETag") != `"v1"` || got.body != "page" {
		t.Errorf("got %q with tag %q", got.body, got.header.Get("ETag"))
	}
	if got := b.get(t, "/api/v1/maps/search", "If-None-Match", `"v1"`); got.status != http.StatusNotModified ||
		got.body != "" {
		t.Errorf("got %d %q", got.status, got.body)
	}
}

func TestGateway_expect_continue(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.client.Transport = &http.Transport{ExpectContinueTimeout: time.Minute}
	replay := strings.Repeat("x", 1<<20)
	got := b.send(t, http.MethodPost, "/api/v1/records/submit", text(replay),
		append(b.bearer(t, playerID), "Expect", "100-continue")...)
	if got.status != http.StatusOK || b.records.last(t).body != replay || got.header.Get("X-Content-Type-Options") == "" {
		t.Errorf("got %d with %v", got.status, got.header)
	}
	got = b.send(t, http.MethodPost, "/api/v1/records/submit", text(replay), "Expect", "100-continue")
	if got.status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", got.status)
	}
}
