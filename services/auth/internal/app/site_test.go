package app_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/service"
	"capzone.dev/services/auth/internal/app"
)

func TestAPI_foreign_sites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startBot()
	calls := []struct{ method, path, body string }{
		{http.MethodGet, "/api/v1/auth/request-room-link", ""},
		{http.MethodGet, "/api/v1/auth/status?sessionId=x", ""},
		{http.MethodPost, "/api/v1/auth/verify-code", `{"sessionId":"x","code":"123456"}`},
		{http.MethodGet, "/api/v1/auth/refresh-token", ""},
		{http.MethodPost, "/api/v1/auth/logout", ""},
	}
	refused := func(method, path, body string, header ...string) bool {
		t.Helper()
		a := b.browser().do(method, path, body, header...)
		foreign := a.HTTPStatus == http.StatusForbidden && a.Code == "foreign_site"
		if foreign && a.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s with %v sets a cookie", path, header)
		}
		return foreign
	}
	for _, call := range calls {
		if refused(call.method, call.path, call.body) ||
			!refused(call.method, call.path, call.body, "Sec-Fetch-Site", "cross-site") {
			t.Errorf("%s is refused to programs, or not to other sites", call.path)
		}
	}
	for _, tt := range []struct {
		header []string
		want   bool
	}{
		{[]string{"Sec-Fetch-Site", "same-origin"}, false},
		{[]string{"Sec-Fetch-Site", "none"}, false},
		{[]string{"Origin", "http://localhost:8080"}, false},
		{[]string{"Origin", "http://127.0.0.1:8080"}, false},
		{[]string{"Origin", "http://127.0.0.1:8081"}, true},
		{[]string{"Sec-Fetch-Site", "same-site"}, true},
		{[]string{"Origin", "https://localhost:8080"}, true},
		{[]string{"Origin", "null"}, true},
		{[]string{"Sec-Fetch-Site", "same-origin", "Origin", "https://evil.example"}, true},
	} {
		if got := refused(http.MethodGet, "/api/v1/auth/refresh-token", "", tt.header...); got != tt.want {
			t.Errorf("with %v it is refused: %t", tt.header, got)
		}
	}
}

func TestAPI_cookies_under_TLS(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config) { _ = cfg.PublicURL.UnmarshalText([]byte("https://capzone.example")) })
	b.startBot()
	a := b.browser().do(http.MethodGet, "/api/v1/auth/request-room-link", "", "Origin", "https://capzone.example",
		"X-Forwarded-Proto", "http")
	expect(t, a, http.StatusOK, "")
	cookies := (&http.Response{Header: a.Header}).Cookies()
	if len(cookies) != 1 {
		t.Fatalf("cookies %v", cookies)
	}
	if c := cookies[0]; c.Name != "__Host-capzone_login" || c.Path != "/" || c.Domain != "" || !c.Secure ||
		!c.HttpOnly ||
		c.Value == "" {
		t.Errorf("the cookie: %v", c)
	}
}

func TestAPI_malformed_requests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.browser()
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
		code                     string
	}{
		{"no session", http.MethodGet, "/api/v1/auth/status", "", http.StatusBadRequest, "malformed_request"},
		{"a number for a code", http.MethodPost, "/api/v1/auth/verify-code", `{"sessionId":"x","code":123456}`,
			http.StatusBadRequest, "malformed_request"},
		{"no code", http.MethodPost, "/api/v1/auth/verify-code", `{"sessionId":"x"}`, http.StatusBadRequest,
			"code_malformed"},
		{"far too much", http.MethodPost, "/api/v1/auth/verify-code", `{"code":"` + strings.Repeat("1", 100_000) + `"}`,
			http.StatusRequestEntityTooLarge, "body_too_large"},
		{"an unknown address", http.MethodGet, "/api/v1/auth/other", "", http.StatusNotFound, "not_found"},
		{"another method", http.MethodPost, "/api/v1/auth/refresh-token", "", http.StatusMethodNotAllowed,
			"method_not_allowed"},
	} {
		t.Run(tt.name, func(t *testing.T) { expect(t, w.do(tt.method, tt.path, tt.body), tt.status, tt.code) })
	}
}

func TestAPI_jwks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.browser().do(http.MethodGet, "/.well-known/jwks.json", "")
	var set struct{ Keys []map[string]string }
	require.NoError(t, json.Unmarshal([]byte(a.Raw), &set))
	if len(set.Keys) != 2 || set.Keys[0]["kid"] != b.keys[0].ID || set.Keys[1]["kid"] != b.keys[1].ID {
		t.Errorf("published %s", a.Raw)
	}
	for _, key := range set.Keys {
		if _, private := key["d"]; private {
			t.Error("a private key is published")
		}
	}
}

func TestRun_invalid_configuration(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	const good = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
	for _, tt := range []struct {
		name string
		cfg  app.SecretsConfig
		want []string
	}{
		{"no files", app.SecretsConfig{TokenKeysFile: dir + "/absent", CodeSecretFile: dir + "/absent"},
			[]string{"TOKEN_KEYS_FILE", "CODE_SECRET_FILE", "no such file"}},
		{"an empty file of keys", app.SecretsConfig{TokenKeysFile: write("empty", ""), CodeSecretFile: write("code",
			good)}, []string{"TOKEN_KEYS_FILE", "auth keygen"}},
		{"a secret that is too short", app.SecretsConfig{TokenKeysFile: write("keys", "x"),
			CodeSecretFile: write("short", "0011")}, []string{"CODE_SECRET_FILE", "64 hexadecimal digits"}},
		{"a secret that is none", app.SecretsConfig{TokenKeysFile: write("keys", "x"), CodeSecretFile: write("text",
			strings.Repeat("z", 64))}, []string{"CODE_SECRET_FILE", "64 hexadecimal digits"}},
	} {
		err := app.Run(t.Context(), app.Config{SecretsConfig: tt.cfg, RoomsPerHour: 20})
		for _, part := range tt.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v, want %s in it", tt.name, err, part)
			}
		}
		if err != nil && strings.Contains(err.Error(), "0011") {
			t.Errorf("%s: the error quotes a secret: %v", tt.name, err)
		}
	}
	if err := app.Run(t.Context(), app.Config{}); err == nil || !strings.Contains(err.Error(), "ROOMS_PER_HOUR") {
		t.Errorf("no rooms: error %v", err)
	}
}

func TestConfig_Check(t *testing.T) {
	for _, name := range []string{"DATABASE_URL", "NATS_URL", "REDIS_URL", "TOKEN_KEYS_FILE", "CODE_SECRET_FILE"} {
		t.Setenv(name, "")
		require.NoError(t, os.Unsetenv(name))
	}
	t.Setenv("ROOMS_PER_HOUR", "many")
	err := service.FromEnv(app.Run)(t.Context())
	for _, name := range []string{"DATABASE_URL", "NATS_URL", "REDIS_URL", "TOKEN_KEYS_FILE", "CODE_SECRET_FILE",
		"ROOMS_PER_HOUR"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in: %v", name, err)
		}
	}
}
