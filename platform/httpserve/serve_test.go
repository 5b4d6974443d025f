package httpserve_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	dto "github.com/prometheus/client_model/go"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

type noMetrics struct{}

func (noMetrics) Gather() ([]*dto.MetricFamily, error) { return nil, nil }

// A server that stops fails its health checks first, serves all else for a while, and finishes what is in flight.
func TestServe_drain(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	drain := httpserve.Drain{HealthPath: httpserve.HealthPath, Delay: 3 * time.Second}
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	arrived, finish := make(chan struct{}), make(chan struct{})
	engine.GET("/long", func(c *gin.Context) {
		close(arrived)
		<-finish
		if c.Request.Context().Err() == nil {
			c.String(http.StatusOK, "finished")
		}
	})
	go func() { served <- httpserve.Serve(ctx, listener, engine, drain, slog.New(slog.DiscardHandler)) }()
	get := func(path string) (status int, body string) {
		resp, err := http.Get("http://" + listener.Addr().String() + path)
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		read, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(read)
	}
	long := make(chan string, 1)
	go func() { _, body := get("/long"); long <- body }()
	<-arrived
	if got, _ := get(httpserve.HealthPath); got != http.StatusOK {
		t.Errorf("before: %d", got)
	}
	stop()
	health, _ := get(httpserve.HealthPath)
	if rest, _ := get("/rest"); health != http.StatusServiceUnavailable || rest != http.StatusNotFound {
		t.Errorf("meanwhile: health %d, all else %d", health, rest)
	}
	close(finish)
	if got := <-long; got != "finished" {
		t.Errorf("the request in flight got %q", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if got, _ := get("/rest"); got != 0 {
		t.Errorf("afterwards: %d", got)
	}
}

func TestRender_client_that_is_still_sending(t *testing.T) {
	t.Parallel()
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler), MaxBody: 8 << 20})
	engine.POST("/upload", func(c *gin.Context) { httpserve.Render(c, problem.Forbidden("not_allowed", "No.")) })
	server := httptest.NewServer(engine)
	defer server.Close()
	for range 5 {
		resp, err := http.Post(server.URL+"/upload", "application/octet-stream", bytes.NewReader(make([]byte, 6<<20)))
		require.NoError(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("got %d", resp.StatusCode)
		}
	}
}

// A supervisor passes one socket to a process and then to the next.
func TestServe_successors_on_one_socket_refuse_no_connection(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	socket, err := listener.(*net.TCPListener).File()
	require.NoError(t, err)
	defer socket.Close()
	_ = listener.Close()
	visitor := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	over := make(chan struct{})
	var visitors sync.WaitGroup
	var visits atomic.Int64
	for range 8 {
		visitors.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				resp, err := visitor.Get("http://" + listener.Addr().String())
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
				visits.Add(1)
			}
		})
	}
	for generation := range 10 {
		inherited, err := net.FileListener(socket)
		require.NoError(t, err)
		if generation == 9 { // the last one serves until the clients have finished
			go func() { visitors.Wait(); _ = inherited.Close() }()
			close(over)
		}
		ctx, stop := context.WithCancel(t.Context())
		enough := visits.Load() + 50
		handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			if visits.Load() > enough {
				stop()
			}
		})
		err = httpserve.Serve(ctx, inherited, handler, httpserve.Drain{}, slog.New(slog.DiscardHandler))
		stop()
		if err != nil && generation < 9 {
			t.Fatal(err)
		}
	}
	t.Logf("%d visits", visits.Load())
}
