package httpserve_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

func TestSurrogateKeys(t *testing.T) {
	t.Parallel()
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	engine.GET("/map", func(c *gin.Context) {
		httpserve.TagCacheable(
			c.Request.Context(),
			httpserve.MapKey("M1"),
			httpserve.PlayerKey("p1"),
			httpserve.MapsKey,
		)
		c.String(http.StatusOK, "map")
	})
	engine.POST("/map", func(c *gin.Context) {
		httpserve.TagChanged(c.Request.Context(), httpserve.MapKey("m1"), httpserve.StatsKey)
		c.String(http.StatusCreated, "map")
	})
	engine.GET("/failure", func(c *gin.Context) {
		httpserve.TagCacheable(c.Request.Context(), httpserve.MapsKey)
		httpserve.Render(c, problem.NotFound("map_unknown", "Unknown."))
	})
	for _, tt := range []struct{ method, path, keys, control string }{
		{http.MethodGet, "/map", "map:m1 player:p1 maps", httpserve.CacheControl},
		{http.MethodPost, "/map", "map:m1 stats", ""},
		{http.MethodGet, "/failure", "", "no-store"},
	} {
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, http.NoBody))
		keys, control := w.Header().Get(httpserve.SurrogateKeyHeader), w.Header().Get("Cache-Control")
		if keys != tt.keys || control != tt.control {
			t.Errorf("%s %s: keys %q, Cache-Control %q", tt.method, tt.path, keys, control)
		}
	}
}
