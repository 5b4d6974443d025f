package app_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/bot/internal/app"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/runtest"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
)

// bundle is a running bot, and auth's connection.
type bundle struct {
	server     *natstest.Server
	nc         *nats.Conn
	rooms, ops string // addresses
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{server: natstest.Start(t)}
	b.nc, _ = b.server.Provision()

	b.run(t, app.Config{ProcessConfig: service.ProcessConfig{HTTPAddr: "127.0.0.1:0"}, Mode: app.Simulated, Rooms: 3,
		NATSOutageTimeout: time.Minute})
	return b
}

// run runs a bot until the test ends, and returns when it is ready.
func (b *bundle) run(t *testing.T, cfg app.Config) {
	t.Helper()
	b.start(t, cfg)
	awaitReadiness(t, *b, http.StatusOK)
}

// start runs a bot until the test ends, and returns when it listens.
func (b *bundle) start(t *testing.T, cfg app.Config) {
	t.Helper()
	cfg.QueueTimeout, cfg.UnusedAfter, cfg.CheckEvery = 70*time.Second, time.Minute, time.Hour
	cfg.NATSURL, cfg.LogLevel = b.server.URL(), slog.LevelError
	cfg.Listeners.Ops = runtest.Listen(t)
	b.ops = "http://" + cfg.Listeners.Ops.Addr().String()
	if cfg.HTTPAddr != "" { // the simulated rooms
		cfg.Listeners.API = runtest.Listen(t)
		b.rooms = "http://" + cfg.Listeners.API.Addr().String()
	}
	ctx, stop := context.WithCancel(context.Background())
	finished := make(chan error, 1)
	go func() { finished <- app.Run(ctx, cfg) }()
	t.Cleanup(func() {
		stop()
		if err := <-finished; err != nil {
			t.Error(err)
		}
	})
	runtest.AwaitAnswer(t, b.ops+httpserve.HealthPath, finished)
}

func awaitReadiness(t *testing.T, b bundle, want int) {
	t.Helper()
	eventually.WaitFor(t, "readiness "+http.StatusText(want), func() bool {
		status, _ := send(t, http.MethodGet, b.ops+"/readyz", "")
		return status == want
	})
}

func send(t *testing.T, method, url, body string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	read, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(read)
}

// withTimeout bounds a request as auth does.
func withTimeout(parent context.Context, t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(parent, 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}
