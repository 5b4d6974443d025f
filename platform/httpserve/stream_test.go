package httpserve_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/httpserve"
)

// streamer is a server with one stream, /stream.
type streamer struct {
	address string
	metrics *prometheus.Registry
	drain   func()
	log     *syncBuffer
}

// syncBuffer is a buffer that may be read while a log is written into it.
type syncBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func startStreamer(t *testing.T, write func(ctx context.Context, s *httpserve.Stream) error) streamer {
	t.Helper()
	s := streamer{metrics: prometheus.NewRegistry(), log: &syncBuffer{}}
	log := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	engine := httpserve.NewEngine(httpserve.Options{Log: log, Service: "records", Registerer: s.metrics})
	engine.GET("/stream", func(c *gin.Context) { httpserve.ServeStream(c, "text/event-stream", write) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.address = listener.Addr().String()
	ctx, drain := context.WithCancel(context.WithoutCancel(t.Context()))
	s.drain = drain
	go func() {
		_ = httpserve.Serve(ctx, listener, engine, httpserve.Drain{HealthPath: "/healthz", Delay: time.Minute}, log)
	}()
	t.Cleanup(drain)
	return s
}

func (s streamer) open(t *testing.T) *http.Response {
	t.Helper()
	resp, err := http.Get("http://" + s.address + "/stream")
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func TestServeStream(t *testing.T) {
	t.Parallel()
	next := make(chan string)
	s := startStreamer(t, func(_ context.Context, s *httpserve.Stream) error {
		for piece := range next {
			if err := s.Send([]byte(piece)); err != nil {
				return err
			}
		}
		return nil
	})
	resp := s.open(t)
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" ||
		resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("ETag") != "" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	lines := bufio.NewReader(resp.Body)
	for _, piece := range []string{"data: 1\n", "data: 2\n"} { // each arrives before the next is sent
		next <- piece
		if line, err := lines.ReadString('\n'); err != nil || line != piece {
			t.Fatalf("%q, %v", line, err)
		}
	}
	want := `
		# HELP http_requests_in_flight Requests that are being answered, without streams.
		# TYPE http_requests_in_flight gauge
		http_requests_in_flight 0
		# HELP http_streams_in_flight Responses without an end that are being sent.
		# TYPE http_streams_in_flight gauge
		http_streams_in_flight %d
	`
	compare := func(streams int) error {
		return testutil.GatherAndCompare(s.metrics, strings.NewReader(fmt.Sprintf(want, streams)),
			"http_requests_in_flight", "http_streams_in_flight")
	}
	if err := compare(1); err != nil {
		t.Error(err)
	}
	close(next)
	if rest, err := io.ReadAll(lines); len(rest) > 0 || err != nil {
		t.Errorf("at the end: %q, %v", rest, err)
	}
	eventually.WaitFor(t, "no stream in the metrics", func() bool { return compare(0) == nil })
}

// The drain's delay, in which other requests are still served, is a minute here.
func TestServeStream_drain(t *testing.T) {
	t.Parallel()
	s := startStreamer(t, func(ctx context.Context, s *httpserve.Stream) error {
		<-ctx.Done()
		return errors.Join(s.Send([]byte("retry: 1000\n")), ctx.Err())
	})
	resp := s.open(t)
	s.drain()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "retry: 1000\n" {
		t.Errorf("the stream ended with %q, %v", body, err)
	}
}

func TestServeStream_client_that_leaves(t *testing.T) {
	t.Parallel()
	result := make(chan error, 1)
	s := startStreamer(t, func(ctx context.Context, _ *httpserve.Stream) error {
		<-ctx.Done()
		result <- ctx.Err()
		return ctx.Err()
	})
	s.open(t).Body.Close()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestServeStream_panic(t *testing.T) {
	t.Parallel()
	s := startStreamer(t, func(context.Context, *httpserve.Stream) error { panic("a fault") })
	if body, err := io.ReadAll(s.open(t).Body); err == nil {
		t.Errorf("the stream looks complete: %q", body)
	}
	eventually.WaitFor(t, "the panic in the log", func() bool { return strings.Contains(s.log.String(), "a fault") })
}
