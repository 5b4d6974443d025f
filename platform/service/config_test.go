package service_test

import (
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/service"
)

func TestReadEnv_reports_all_mistakes(t *testing.T) {
	t.Setenv("PUBLIC_URL", "localhost:8080")
	t.Setenv("LOG_LEVEL", "loud")
	t.Setenv("LOG_FORMAT", "xml")
	t.Setenv("NATS_URL", "")
	t.Setenv("OTEL_TRACES_SAMPLER_ARG", "2")
	var cfg struct {
		service.Config
		service.StorageConfig
	}
	err := service.ReadEnv(&cfg)
	if err == nil {
		t.Fatal("a wrong environment is accepted")
	}
	for _, variable := range []string{"PUBLIC_URL", "LOG_LEVEL", "LOG_FORMAT", "NATS_URL", "OTEL_TRACES_SAMPLER_ARG",
		"DATABASE_URL", "S3_ENDPOINT", "S3_ACCESS_KEY", "S3_SECRET_KEY"} {
		if !strings.Contains(err.Error(), variable) {
			t.Errorf("%s is not named in:\n%v", variable, err)
		}
	}
}

func TestSiteURL_CookieName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		address        string
		origin, cookie string
		secure         bool
	}{
		{"http://localhost:8080", "http://localhost:8080", "session_8080", false},
		{"http://localhost:8081/", "http://localhost:8081", "session_8081", false},
		{"https://capzone.example", "https://capzone.example", "__Host-session", true},
	} {
		var u service.SiteURL
		require.NoError(t, u.UnmarshalText([]byte(tt.address)))
		if u.Origin() != tt.origin || u.CookieName("session") != tt.cookie || u.Secure() != tt.secure {
			t.Errorf("%s: origin %s, cookie %s, secure %v", tt.address, u.Origin(), u.CookieName("session"), u.Secure())
		}
	}
	for _, bad := range []string{"", "localhost", "ftp://host", "http://host/path", "javascript:alert(1)"} {
		var u service.SiteURL
		if u.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("%q is accepted as the site's address", bad)
		}
	}
}

func TestSiteURL_IsOrigin(t *testing.T) {
	for _, tt := range []struct {
		site, origin string
		want         bool
	}{
		{"https://capzone.example", "https://capzone.example", true},
		{"https://capzone.example", "http://capzone.example", false},
		{"https://capzone.example", "http://127.0.0.1", false},
		{"http://localhost:8080", "http://localhost:8080", true},
		{"http://localhost:8080", "http://127.0.0.1:8080", true},
		{"http://127.0.0.1:8080", "http://localhost:8080", true},
		{"http://localhost", "http://127.0.0.1", true},
		{"http://localhost:8080", "http://127.0.0.1:8081", false},
		{"http://localhost:8080", "https://127.0.0.1:8080", false},
		{"http://localhost:8080", "null", false},
	} {
		var u service.SiteURL
		require.NoError(t, u.UnmarshalText([]byte(tt.site)))
		if got := u.IsOrigin(tt.origin); got != tt.want {
			t.Errorf("site %s, origin %s: got %v", tt.site, tt.origin, got)
		}
	}
}
