package app_test

import (
	"maps"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/route"
)

// setEnvironment sets what a gateway needs, and then what changes say.
func setEnvironment(t *testing.T, changes map[string]string) {
	t.Helper()
	environment := map[string]string{
		"NATS_URL": "nats://nats:4222", "REDIS_URL": "redis://redis:6379/0",
		"JWKS_URL": "http://auth:8080/.well-known/jwks.json",
	}
	for _, name := range route.Services() {
		environment[strings.ToUpper(string(name))+"_ADDR"] = string(name) + ":8080"
	}
	maps.Copy(environment, changes)
	for name, value := range environment {
		t.Setenv(name, value)
	}
}

func TestReadConfig(t *testing.T) {
	setEnvironment(t, map[string]string{
		"RECORDS_ADDR": "10.0.0.1:8080, 10.0.0.2:8080", "PLAYERS_ADDR": "[::1]:8080",
		"TRUSTED_PROXIES": "10.0.0.0/8, 192.0.2.7",
	})
	cfg, err := app.ReadConfig()
	require.NoError(t, err)
	want := map[route.Service]app.Addresses{}
	for _, name := range route.Services() {
		want[name] = app.Addresses{string(name) + ":8080"}
	}
	want[route.Records], want[route.Players] = app.Addresses{"10.0.0.1:8080", "10.0.0.2:8080"}, app.Addresses{"[::1]:8080"}
	assert.Equal(t, "addresses", want, cfg.Services)
	if want := (limit.Config{
		RequestsPerMinute: 600, LoginsPerMinute: 60, SubmissionsPerHour: 60,
		RequestsInFlightPerAddress: 100, StreamsPerAddress: 5, TokenRequestsPerMinute: 300, InvalidTokensPerMinute: 30,
	}); cfg.Config != want {
		t.Errorf("the limits are %+v, want %+v", cfg.Config, want)
	}
	if len(cfg.TrustedProxies) != 2 || cfg.TrustedProxies[1].String() != "192.0.2.7/32" {
		t.Errorf("the trusted proxies are %v", cfg.TrustedProxies)
	}
}

func TestReadConfig_errors(t *testing.T) {
	setEnvironment(t, map[string]string{
		"AUTH_ADDR": "", "MAPS_ADDR": "maps", "RECORDS_ADDR": "a:1,,b:2", "PLAYERS_ADDR": ":8080", "REDIS_URL": "",
		"PUBLIC_URL":      "capzone.example",
		"TRUSTED_PROXIES": "everybody", "REQUESTS_PER_MINUTE": "many", "LOGINS_PER_MINUTE": "0", "PAGE_CACHE_MB": "-1",
	})
	_, err := app.ReadConfig()
	if err == nil {
		t.Fatal("nothing is wrong with it")
	}
	// Errors name the variable or the field of the configuration.
	for _, name := range []string{"AUTH_ADDR", "MAPS_ADDR", "RECORDS_ADDR", "PLAYERS_ADDR", "REDIS_URL", "PUBLIC_URL",
		"TRUSTED_PROXIES", "REQUESTS_PER_MINUTE", "LOGINS_PER_MINUTE", "PAGE_CACHE_MB"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in:\n%v", name, err)
		}
	}
}
