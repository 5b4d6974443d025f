package compose

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"capzone.dev/e2e/internal/load"
)

// startProxy starts a proxy in front of two gateways, which checks their health every second, as docs/operations.md
// configures Caddy. It returns the proxy's address.
func startProxy(t *testing.T, ports []int) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	gateways := make([]*gateway, len(ports))
	for i, port := range ports {
		gateways[i] = &gateway{address: fmt.Sprintf("127.0.0.1:%d", port)}
		gateways[i].check(ctx)
		go gateways[i].checkEverySecond(ctx)
	}
	var next atomic.Int64
	dialer := &net.Dialer{Timeout: time.Second}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", r.In.Host
			for range gateways {
				if g := gateways[int(next.Add(1))%len(gateways)]; g.healthy.Load() {
					r.Out.URL.Host = g.address
					break
				}
			}
			r.Out.Host = r.In.Host
			r.SetXForwarded()
		},
		// A request is sent to a gateway that was healthy a second ago, by a connection of its own.
		Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true},
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(func() {
		server.Close()
		cancel()
	})
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

// gateway is one that the proxy may use.
type gateway struct {
	address string
	healthy atomic.Bool
}

func (g *gateway) checkEverySecond(ctx context.Context) {
	for ctx.Err() == nil {
		load.Sleep(ctx, time.Second)
		g.check(ctx)
	}
}

func (g *gateway) check(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+g.address+"/healthz", nil)
	var response *http.Response
	if err == nil {
		response, err = http.DefaultClient.Do(request)
	}
	if err == nil {
		err = response.Body.Close()
	}
	g.healthy.Store(err == nil && response.StatusCode == http.StatusOK)
}
