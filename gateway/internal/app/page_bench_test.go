package app_test

import (
	"io"
	"net/http"
	"testing"
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
