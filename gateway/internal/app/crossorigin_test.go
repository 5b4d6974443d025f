package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/gateway/internal/app"
)

// corsHeaders returns the headers of CORS of a response.
func corsHeaders(header http.Header) map[string]string {
	found := map[string]string{}
	for name := range header {
		if short, ok := strings.CutPrefix(name, "Access-Control-"); ok {
			found[short] = header.Get(name)
		}
	}
	return found
}

func TestGateway_other_origins(t *testing.T) {
	t.Parallel()
	b := startCommunity(t).startSite(t)
	const api = "/api/v1"
	readable := map[string]string{"Allow-Origin": "*", "Expose-Headers": "Etag, Ratelimit, Ratelimit-Policy, Retry-After"}
	preflight := func(method, headers string) map[string]string {
		return map[string]string{
			"Allow-Origin": "*", "Allow-Methods": method, "Allow-Headers": headers, "Max-Age": "3600",
		}
	}
	for _, tt := range []struct {
		method, path, asks, headers string
		want                        map[string]string
	}{
		{"GET", api + "/stats", "", "", readable},
		{"HEAD", api + "/stats", "", "", readable},
		{"GET", api + "/maps/search?limit=x%20", "", "", readable},
		{"GET", api + "/download/replays/" + playerID, "", "", readable},
		{"GET", api + "/inbox", "", "", readable}, // with a personal token
		{"GET", api + "/events?types=x", "", "", readable},
		{"GET", api + "/openapi.json", "", "", readable},
		{"GET", "/feeds/maps.atom", "", "", readable},
		{"GET", "/oembed?url=x", "", "", readable},
		{"GET", "/dumps/", "", "", readable},
		{"GET", "/media/maps/a.svg", "", "", readable},
		{"GET", "/preview.png", "", "", readable},
		{"OPTIONS", api + "/events", "GET", "authorization,last-event-id",
			preflight("GET", "authorization,last-event-id")},
		{"OPTIONS", api + "/inbox", "GET", "authorization,if-none-match",
			preflight("GET", "authorization,if-none-match")},
		{"OPTIONS", api + "/stats", "GET", "content-type", nil},
		{"OPTIONS", api + "/maps/" + mapID, "PATCH", "authorization", nil},
		{"OPTIONS", api + "/records/submit", "POST", "authorization", nil},
		{"POST", api + "/records/submit", "", "", nil},
		{"GET", api + "/auth/status", "", "", nil},
		{"GET", api + "/auth/refresh-token", "", "", nil},
		{"OPTIONS", api + "/auth/refresh-token", "GET", "authorization", nil},
		{"GET", api + "/tokens", "", "", nil},
		{"OPTIONS", api + "/tokens", "GET", "authorization", nil},
		{"GET", api + "/desk/cases", "", "", nil},
		{"GET", api + "/me/decisions", "", "", nil},
		{"GET", api + "/export", "", "", nil},
		{"GET", api + "/docs", "", "", nil},
		{"GET", "/", "", "", nil},
	} {
		headers := []string{"Origin", "https://overlay.example"}
		if tt.asks != "" {
			headers = append(headers, "Access-Control-Request-Method", tt.asks,
				"Access-Control-Request-Headers", tt.headers)
		}
		got := corsHeaders(b.send(t, tt.method, tt.path, nil, headers...).header)
		if tt.want == nil {
			tt.want = map[string]string{}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.method, tt.path, diff)
		}
	}
}

// A page of another site reads also that it is refused, and until when.
func TestGateway_other_origins_limited(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) { cfg.RequestsPerMinute = 1 })
	b.get(t, "/api/v1/stats")
	got := b.get(t, "/api/v1/stats", "Origin", "https://overlay.example")
	if got.status != http.StatusTooManyRequests || got.header.Get("Access-Control-Allow-Origin") != "*" ||
		got.header.Get("Retry-After") == "" {
		t.Errorf("%d %v", got.status, got.header)
	}
}
