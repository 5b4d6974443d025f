package app_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"capzone.dev/gateway/internal/app"
)

func TestGateway_logins_of_other_sites(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, tt := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"the site's page", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"the site's page, posting", []string{"Sec-Fetch-Site", "same-origin", "Origin", "https://capzone.example"}, 200},
		{"an address that the user typed", []string{"Sec-Fetch-Site", "none"}, 200},
		{"a script outside a browser", nil, 200},
		{"another site's page", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a page of a sibling host", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"an old browser on another site", []string{"Origin", "https://evil.example"}, 403},
		{"another port", []string{"Origin", "https://capzone.example:8443"}, 403},
		{"the site without TLS", []string{"Origin", "http://capzone.example"}, 403},
		{"a sandboxed frame", []string{"Origin", "null"}, 403},
	} {
		for _, call := range []string{"GET /api/v1/auth/refresh-token", "POST /api/v1/auth/logout"} {
			method, path, _ := strings.Cut(call, " ")
			got := b.send(t, method, path, nil, tt.headers...)
			if got.status != tt.status {
				t.Errorf("%s: %s is %d, want %d", tt.name, call, got.status, tt.status)
			}
			if tt.status == http.StatusForbidden {
				if f := got.failure(t); f.Code != "foreign_site" || !strings.Contains(f.Message, "https://capzone.example") {
					t.Errorf("%s: %s is refused with %+v", tt.name, call, f)
				}
			}
		}
		if got := b.get(t, "/api/v1/stats", tt.headers...); got.status != http.StatusOK {
			t.Errorf("%s: public reading is %d", tt.name, got.status)
		}
	}
}

func TestGateway_login_responses(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.auth.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Cache-Control", "max-age=60")
		http.SetCookie(w, &http.Cookie{Name: "refresh", Value: "secret", Path: "/api/v1/auth"})
		_, _ = w.Write([]byte("token"))
	})
	got := b.get(t, "/api/v1/auth/refresh-token", "If-None-Match", `"v1"`)
	if got.status != http.StatusOK || got.header.Get("Cache-Control") != "no-store" || got.header.Get("ETag") != "" {
		t.Errorf("got %d, Cache-Control %q, ETag %q", got.status, got.header.Get("Cache-Control"), got.header.Get("ETag"))
	}
	if cookie := got.header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "refresh=secret") {
		t.Errorf("the cookie is %q", cookie)
	}
}

func TestGateway_bad_tokens(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, tt := range []struct{ name, header, code string }{
		{"no token", "", "token_missing"},
		{"nonsense", "Bearer nonsense", "token_invalid"},
	} {
		got := b.send(t, http.MethodPost, "/api/v1/records/submit", upload(1<<20), "Authorization", tt.header)
		if f := got.failure(t); got.status != http.StatusUnauthorized || f.Code != tt.code {
			t.Errorf("%s: %d %+v, want 401 %s", tt.name, got.status, f, tt.code)
		}
	}
	if n := len(b.records.requests()); n != 0 {
		t.Errorf("the service got %d requests", n)
	}
	if got := b.send(t, http.MethodPost, "/api/v1/records/submit", text("replay"),
		b.bearer(t, playerID)...); got.status != http.StatusOK || b.records.last(t).body != "replay" {
		t.Errorf("a good token: %d %s", got.status, got.body)
	}
	if got := b.get(t, "/api/v1/records", "Authorization", "Bearer nonsense"); got.status != http.StatusOK {
		t.Errorf("a public read with a bad token: %d", got.status)
	}
}

func TestGateway_tokens_without_keys(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		closed := httptest.NewServer(http.NotFoundHandler())
		closed.Close()
		cfg.JWKSURLs = []string{closed.URL}
	})
	if got := b.send(t, http.MethodPost, "/api/v1/records/submit", text("replay"),
		b.bearer(t, playerID)...); got.status != http.StatusOK {
		t.Errorf("a token that cannot be verified: %d %s", got.status, got.body)
	}
	if got := b.send(t, http.MethodPost, "/api/v1/records/submit", text("replay")); got.status != http.StatusUnauthorized {
		t.Errorf("no token: %d", got.status)
	}
}

func TestGateway_large_bodies(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, tt := range []struct {
		name, method, path string
		size               int64
		status             int
	}{
		{"a code", "POST", "/api/v1/auth/verify-code", 100, 200},
		{"a code of 5 KB", "POST", "/api/v1/auth/verify-code", 5 << 10, 413},
		{"a map's files", "POST", "/api/v1/maps/submit", 6 << 20, 200},
		{"more than a map's files", "POST", "/api/v1/maps/submit", 8<<20 + 1, 413},
		{"a replay", "POST", "/api/v1/records/submit", 1<<20 + 1000, 200},
		{"more than a replay", "POST", "/api/v1/records/submit", 2<<20 + 1, 413},
		{"an avatar", "PUT", "/api/v1/players/" + playerID, 1 << 20, 200},
		{"an object where no body is read", "POST", "/api/v1/records/goals/" + playerID + "/put-aside", 2, 200},
		{"more than an object", "DELETE", "/api/v1/records/goals/" + playerID + "/put-aside", 5 << 10, 413},
		{"a body where none is read", "GET", "/api/v1/stats", 1, 413},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, length := range []string{"known", "unknown"} {
				body := upload(tt.size)
				if length == "known" {
					body = text(strings.Repeat("x", int(tt.size)))
				}
				got := b.send(t, tt.method, tt.path, body, b.bearer(t, playerID)...)
				if got.status != tt.status {
					t.Errorf("with a length that is %s: %d, want %d: %s", length, got.status, tt.status, got.body)
				}
				if tt.status == http.StatusRequestEntityTooLarge && got.failure(t).Code != "body_too_large" {
					t.Errorf("with a length that is %s: %s", length, got.body)
				}
			}
		})
	}
}

// passed returns how many of n requests are not refused with 429.
func passed(t *testing.T, n int, request func() response) (count int) {
	t.Helper()
	for range n {
		got := request()
		if got.status != http.StatusTooManyRequests {
			count++
			continue
		}
		if f := got.failure(t); f.Code != "rate_limited" || got.header.Get("Retry-After") == "" {
			t.Errorf("refused with %+v, Retry-After %q", f, got.header.Get("Retry-After"))
		}
	}
	return count
}

func TestGateway_limits(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.RequestsPerMinute, cfg.LoginsPerMinute, cfg.SubmissionsPerHour = 10, 3, 4
	})
	other := "01970000-0000-7000-8000-000000000002"
	submit := func(player, address string) response {
		return b.send(t, http.MethodPost, "/api/v1/records/submit", text("x"),
			append(b.bearer(t, player), from(address)...)...)
	}
	for _, tt := range []struct {
		name    string
		request func() response
		want    int
	}{
		{"reads of one address", func() response { return b.get(t, "/api/v1/stats", from("198.51.100.1")...) }, 10},
		{"images for the same address", func() response {
			return b.get(t, "/media/maps/a.webp", from("198.51.100.1")...)
		}, 0},
		{"the site's own files for the same address", func() response {
			return b.get(t, "/player-search", from("198.51.100.1")...)
		}, 0},
		{"reads of another address", func() response { return b.get(t, "/api/v1/stats", from("198.51.100.2")...) }, 10},
		{"logins of one address", func() response {
			return b.get(t, "/api/v1/auth/request-room-link", from("198.51.100.3")...)
		}, 3},
		{"logins of another address", func() response {
			return b.get(t, "/api/v1/auth/request-room-link", from("198.51.100.4")...)
		}, 3},
		{"the status of logins", func() response { return b.get(t, "/api/v1/auth/status", from("198.51.100.8")...) }, 10},
		{"submissions of one player", func() response { return submit(playerID, "198.51.100.5") }, 4},
		{"submissions of the same player from another address", func() response {
			return submit(playerID, "198.51.100.6")
		}, 0},
		{"submissions of another player", func() response { return submit(other, "198.51.100.7") }, 4},
	} {
		if got := passed(t, 20, tt.request); got != tt.want {
			t.Errorf("%s: %d passed, want %d", tt.name, got, tt.want)
		}
	}
}
