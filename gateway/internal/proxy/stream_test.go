package proxy_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/eventually"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/connlimit"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
)

const streamsPerAddress = 2

var discard = slog.New(slog.DiscardHandler)

// serve serves an engine as a process does, until stop is called.
func serve(t *testing.T, handler http.Handler) (address string, stop func()) {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := connlimit.NewListener(tcp, connlimit.Limits{Total: 1000, PerAddress: 256})
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(stop)
	go func() {
		_ = httpserve.Serve(ctx, listener, handler, httpserve.Drain{HealthPath: "/healthz", Delay: time.Minute}, discard)
	}()
	return listener.Addr().String(), stop
}

// streams is a gateway with the routes /stream and /list of one service.
type streams struct {
	site                     string
	stopGateway, stopService func()
	metrics                  *prometheus.Registry
}

func startStreams(t *testing.T, write func(ctx context.Context, s *httpserve.Stream) error) streams {
	t.Helper()
	behind := httpserve.NewEngine(httpserve.Options{Log: discard, Service: "records"})
	behind.GET("/stream", func(c *gin.Context) { httpserve.ServeStream(c, "text/event-stream", write) })
	behind.GET("/list", func(c *gin.Context) { c.String(http.StatusOK, "list") })
	s := streams{metrics: prometheus.NewRegistry()}
	var address string
	address, s.stopService = serve(t, behind)

	table := []route.Route{
		{Method: http.MethodGet, Path: "/stream", Service: route.Records, Stream: true},
		{Method: http.MethodGet, Path: "/list", Service: route.Records},
	}
	pool := upstream.New("records", []string{address}, nil, upstream.NewTransport(), discard)
	pool.Resolve(t.Context())
	engine := httpserve.NewEngine(httpserve.Options{Log: discard, Registerer: s.metrics})
	// Redis is not asked for requests without a token.
	limits := limit.New(limit.Config{
		RequestsPerMinute: 1000, RequestsInFlightPerAddress: 1, StreamsPerAddress: streamsPerAddress,
		LoginsPerMinute: 1, SubmissionsPerHour: 1,
	}, redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"}), discard)
	engine.Use(proxy.LimitRequests(limits, table))
	if _, err := proxy.Register(engine, table, proxy.Options{
		Pools: map[route.Service]*upstream.Pool{route.Records: pool},
		Cache: cache.New(1<<20, func() bool { return true }), Limits: limits, Log: discard, Metrics: s.metrics,
		Site: service.SiteURL{},
	}); err != nil {
		t.Fatal(err)
	}
	gateway, stop := serve(t, proxy.Edge(false, nil, engine))
	s.site, s.stopGateway = "http://"+gateway, stop
	return s
}

func (s streams) get(t *testing.T, path string) *http.Response {
	t.Helper()
	return s.getFrom(t, "127.0.0.1", path)
}

// getFrom sends a request from an address, on a connection of its own that takes few bytes before they are read.
func (s streams) getFrom(t *testing.T, address, path string) *http.Response {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	transport := &http.Transport{DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, to)
		if err != nil {
			return nil, err
		}
		return conn, conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.site+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "gzip")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// inFlight returns the streams that the gateway's metrics count.
func (s streams) inFlight(t *testing.T) float64 {
	t.Helper()
	families, err := s.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "http_streams_in_flight" {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatal("the metrics do not count streams")
	return 0
}

// sendOne sends a line and leaves the stream open.
func sendOne(ctx context.Context, s *httpserve.Stream) error {
	if err := s.Send([]byte("data: 1\n")); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

func TestProxy_streams(t *testing.T) {
	t.Parallel()
	s := startStreams(t, sendOne)
	for range 2 {
		resp := s.get(t, "/stream")
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Cache-Control") != "no-store" ||
			resp.Header.Get("Content-Encoding") != "" || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%d %v", resp.StatusCode, resp.Header)
		}
		if line, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil || line != "data: 1\n" {
			t.Errorf("%q, %v", line, err)
		}
	}
	// The limit of requests in flight, which is 1, does not count the two.
	if resp := s.get(t, "/list"); resp.StatusCode != http.StatusOK {
		t.Errorf("a request beside two streams: %d", resp.StatusCode)
	}
	third := s.get(t, "/stream")
	if third.StatusCode != http.StatusTooManyRequests || third.Header.Get("Retry-After") == "" {
		t.Errorf("a third stream of one address: %d", third.StatusCode)
	}
}

// What is sent and never read waits in buffers of a bounded size. Then both servers end the stream.
func TestProxy_streams_that_are_never_read(t *testing.T) {
	t.Parallel()
	const count, mostSent = 5, 128 << 20 // most of it may lie in the operating system's buffers of both connections
	sent := make(chan int, count)
	s := startStreams(t, func(ctx context.Context, s *httpserve.Stream) error {
		piece, n := make([]byte, 64<<10), 0
		defer func() { sent <- n }()
		for pause := time.NewTicker(time.Millisecond); ; n += len(piece) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-pause.C:
			}
			if err := s.Send(piece); err != nil {
				return err
			}
		}
	})
	for i := range count {
		s.getFrom(t, fmt.Sprintf("127.0.3.%d", 1+i), "/stream")
	}
	for range count {
		if n := <-sent; n > mostSent {
			t.Errorf("%d bytes are sent to a client that does not read, want at most %d", n, mostSent)
		}
	}
	if resp := s.getFrom(t, "127.0.4.1", "/list"); resp.StatusCode != http.StatusOK {
		t.Errorf("a visitor beside streams that are not read: %d", resp.StatusCode)
	}
	eventually.WaitFor(t, "the gateway to end the streams", func() bool { return s.inFlight(t) == 0 })
}

func TestProxy_streams_end_with_the_server(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(streams) func(){
		"the gateway's": func(s streams) func() { return s.stopGateway },
		"the service's": func(s streams) func() { return s.stopService },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startStreams(t, sendOne)
			const count = 5
			var bodies []*bufio.Reader
			for i := range count {
				body := bufio.NewReader(s.getFrom(t, fmt.Sprintf("127.0.5.%d", 1+i), "/stream").Body)
				if _, err := body.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
				bodies = append(bodies, body)
			}
			began := time.Now()
			stop(s)()
			for _, body := range bodies {
				if rest, err := io.ReadAll(body); err != nil || len(rest) > 0 {
					t.Errorf("a stream ended with %q, %v", rest, err)
				}
			}
			if took := time.Since(began); took > 5*time.Second { // the server waits a minute for other requests
				t.Errorf("%d streams ended after %s", count, took)
			}
		})
	}
}

func TestProxy_streams_client_that_leaves(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	s := startStreams(t, func(ctx context.Context, _ *httpserve.Stream) error {
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	s.get(t, "/stream").Body.Close()
	if err := <-ended; err == nil {
		t.Error("the service's stream goes on")
	}
	eventually.WaitFor(t, "no stream in the metrics", func() bool { return s.inFlight(t) == 0 })
}
