package app_test

import (
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

func TestGateway_service_that_starts_later(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close() // until it is served, connections are accepted and not answered
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.Services[route.Records] = app.Addresses{listener.Addr().String()}
	})
	eventually.WaitFor(t, "the service to be down", func() bool {
		got := b.get(t, "/api/v1/stats")
		return got.status == http.StatusServiceUnavailable && got.failure(t).Code == "service_unavailable" &&
			got.header.Get("Retry-After") == "1"
	})
	if got := b.get(t, "/api/v1/maps/search"); got.status != http.StatusOK {
		t.Errorf("another service: %d", got.status)
	}
	if ready, failing := b.ready(t); ready || !strings.Contains(failing, "records") {
		t.Errorf("the gateway is ready without a service: %s", failing)
	}
	records := httptest.NewUnstartedServer(b.records.Config.Handler)
	_ = records.Listener.Close()
	records.Listener = listener
	records.Start()
	eventually.WaitFor(t, "the service", func() bool { return b.get(t, "/api/v1/stats").status == http.StatusOK })
	eventually.WaitFor(t, "readiness", func() bool { ready, _ := b.ready(t); return ready })
	records.Close()
	if ready, failing := b.ready(t); !ready {
		t.Errorf("the gateway is not ready after a service has stopped: %s", failing)
	}
}

// ready asks the operations port.
func (b *bundle) ready(t *testing.T) (ready bool, checks string) {
	t.Helper()
	resp, err := http.Get(b.ops + "/readyz")
	require.NoError(t, err)
	defer resp.Body.Close()
	var report struct {
		Ready  bool
		Checks json.RawMessage
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&report))
	return report.Ready && resp.StatusCode == http.StatusOK, string(report.Checks)
}

func TestGateway_response_before_the_end_of_an_upload(t *testing.T) {
	t.Parallel()
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler), MaxBody: 7 << 20})
	engine.POST("/api/v1/maps/submit", func(c *gin.Context) {
		httpserve.Render(c, problem.Forbidden("player_banned", "You are banned.")) // before the body is read
	})
	maps := httptest.NewServer(engine)
	t.Cleanup(maps.Close)
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.Services[route.Maps] = app.Addresses{maps.Listener.Addr().String()}
	})
	for range 5 {
		got := b.send(t, http.MethodPost, "/api/v1/maps/submit", text(strings.Repeat("x", 6<<20)), b.bearer(t, playerID)...)
		if got.status != http.StatusForbidden || got.failure(t).Code != "player_banned" {
			t.Errorf("got %d %s", got.status, got.body)
		}
	}
}

func TestGateway_metrics(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.get(t, "/api/v1/maps/"+playerID)
	metrics := b.metrics(t)
	for _, want := range []string{
		`http_request_duration_seconds_count{method="GET",route="/api/v1/maps/:id",status="200"} 1`,
		`gateway_replica_up{address="` + b.maps.address() + `",service="maps"} 1`,
		`gateway_replica_requests_in_flight{address="` + b.maps.address() + `",service="maps"} 0`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}
