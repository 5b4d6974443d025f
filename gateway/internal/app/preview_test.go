package app_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/sharecard"
)

const previewPath = "/api/v1/records/" + recordID + "/preview.png"

// startService starts a gateway whose services records and players answer as registered.
func startService(t *testing.T, register func(*gin.Engine)) *bundle {
	t.Helper()
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	register(engine)
	service := httptest.NewServer(engine)
	t.Cleanup(service.Close)
	return setup(t, func(cfg *app.Config, _ *bundle) {
		address := app.Addresses{service.Listener.Addr().String()}
		cfg.Services[route.Records], cfg.Services[route.Players] = address, address
	})
}

func TestGateway_previews_refused(t *testing.T) {
	t.Parallel()
	b := startService(t, func(engine *gin.Engine) {
		engine.GET("/api/v1/records/:id/preview.png", func(c *gin.Context) { httpserve.Render(c, sharecard.ErrBusy) })
		engine.GET("/api/v1/stats", func(c *gin.Context) { c.String(http.StatusOK, "{}") })
	})
	for range 20 {
		got := b.get(t, previewPath)
		if got.status != http.StatusServiceUnavailable || got.failure(t).Code != "previews_busy" ||
			got.header.Get("Retry-After") != "2" || got.header.Get(httpserve.OverloadedHeader) != "" {
			t.Fatalf("%d %v %s", got.status, got.header, got.body)
		}
	}
	metrics := b.metrics(t)
	if !strings.Contains(metrics, `service="records"} 1`) || strings.Contains(metrics, `gateway_retries_total{service="records"} 20`) {
		t.Errorf("the replica is ejected, or was asked again:\n%s", metrics)
	}
	if got := b.get(t, "/api/v1/stats"); got.status != http.StatusOK {
		t.Errorf("the replica's other answers: %d", got.status)
	}
}

// A picture with points is not kept by its address: it may be of a moment before the page that names it.
func TestGateway_previews_with_a_version(t *testing.T) {
	t.Parallel()
	b := startService(t, func(engine *gin.Engine) {
		engine.GET("/api/v1/players/:id/preview.png", func(c *gin.Context) {
			httpserve.TagComputed(c.Request.Context(), httpserve.PlayerKey(playerID))
			c.String(http.StatusOK, "picture")
		})
		engine.GET("/api/v1/records/:id/preview.png", func(c *gin.Context) {
			if c.Param("id") != recordID {
				httpserve.Render(c, sharecard.ErrBusy)
				return
			}
			httpserve.TagPicture(c.Request.Context(), httpserve.MapKey(mapID))
			c.String(http.StatusOK, "picture")
		})
	})
	const kept = "public, max-age=2592000, immutable"
	for path, want := range map[string]string{
		previewPath:              "no-cache",
		previewPath + "?v=":      "no-cache",
		previewPath + "?v=1a2b":  kept,
		previewPath + "?v=other": kept,
		"/api/v1/records/" + mapID + "/preview.png?v=1a2b":            "no-store",
		"/api/v1/players/" + playerID + "/preview.png?v=1a2b-1-100.0": "no-cache",
	} {
		if got := b.get(t, path); got.header.Get("Cache-Control") != want {
			t.Errorf("%s: %d with Cache-Control %q, want %q", path, got.status, got.header.Get("Cache-Control"), want)
		}
	}
	if got := b.get(t, previewPath+"?v=1a2b", "If-None-Match", b.get(t, previewPath).header.Get("ETag")); got.status !=
		http.StatusNotModified || got.header.Get("Cache-Control") != kept {
		t.Errorf("with its ETag: %d %v", got.status, got.header)
	}
}
