package app_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
)

// BenchmarkHop measures what the gateway adds to a page of a leaderboard, with 32 connections; "direct" is the same
// without it.
func BenchmarkHop(b *testing.B) {
	page := strings.Repeat("x", 1800)
	records := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		_, _ = io.WriteString(w, page)
	}))
	b.Cleanup(records.Close)
	gateway := setup(b, func(cfg *app.Config, _ *bundle) {
		cfg.Services[route.Records] = app.Addresses{records.Listener.Addr().String()}
		cfg.RequestsPerMinute = 1_000_000_000
	})
	for _, bm := range []struct{ name, site string }{{"direct", records.URL}, {"gateway", gateway.site}} {
		b.Run(bm.name, func(b *testing.B) {
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
			b.SetParallelism(16)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					resp, err := client.Get(bm.site + "/api/v1/records")
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			})
		})
	}
}
