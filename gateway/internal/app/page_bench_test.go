package app_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/httpserve"
)

// BenchmarkGateway_pages compares a page that is made for its address, as stored, with the file of the application.
func BenchmarkGateway_pages(b *testing.B) {
	g := startCommunity(b).startSite(b)
	g.client.Transport = &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 100}
	for _, bm := range []struct{ name, path string }{{"file", "/player-search"}, {"page", "/leaderboard/" + mapID}} {
		b.Run(bm.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, g.site+bm.path, nil)
				if err != nil {
					b.Error(err)
					return
				}
				req.Header.Set("Accept-Encoding", "gzip")
				for pb.Next() {
					resp, err := g.client.Do(req)
					if err != nil || resp.StatusCode != http.StatusOK {
						b.Errorf("%v %v", resp, err)
						return
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			})
		})
	}
}

// BenchmarkGateway_uncached fetches leaderboards that are not stored, each from the service.
func BenchmarkGateway_uncached(b *testing.B) {
	g := setup(b, func(cfg *app.Config, _ *bundle) { cfg.PageCacheMB, cfg.RequestsPerMinute = 0, 1_000_000_000 })
	page := []byte(`{"success":true,"data":[` + strings.Repeat(`{"_id":"01970000-0000-7000-8000-000000000001"},`, 60) +
		`{}],"pagination":{"total":1}}`)
	g.records.answers(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("ETag", `"`+r.URL.Query().Get("map")+`"`)
		w.Header().Set("Cache-Control", httpserve.CacheControl)
		w.Header().Set(httpserve.SurrogateKeyHeader, "map:"+r.URL.Query().Get("map"))
		w.Header().Set("Content-Length", strconv.Itoa(len(page)))
		_, _ = w.Write(page)
	})
	g.client.Transport = &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 100}
	var next atomic.Int64
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			url := fmt.Sprintf("%s/api/v1/records?map=%d&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc&limit=10&offset=0",
				g.site, next.Add(1)%2000)
			resp, err := g.client.Get(url)
			if err != nil || resp.StatusCode != http.StatusOK {
				b.Errorf("%v %v", resp, err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
	})
}
