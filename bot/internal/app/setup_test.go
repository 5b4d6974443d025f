package app_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/bot/internal/app"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/natstest"
)

// bundle is a running bot of three rooms, and auth's connection.
type bundle struct {
	server     *natstest.Server
	nc         *nats.Conn
	rooms, ops string // addresses
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{server: natstest.Start(t)}
	nc, err := eventbus.Connect(b.server.URL(), "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	b.nc = nc
	js, err := eventbus.JetStream(nc)
	if err != nil {
		t.Fatal(err)
	}
	if err := eventbus.ProvisionWhenUp(t.Context(), js, 1); err != nil {
		t.Fatal(err)
	}

	type addresses struct{ rooms, ops net.Addr }
	listening := make(chan addresses, 1)
	cfg := app.Config{
		HTTPAddr: "127.0.0.1:0", OpsAddr: "127.0.0.1:0", NATSURL: b.server.URL(), Mode: app.Simulated, Rooms: 3, Patience: time.Minute,
		OnListen: func(rooms, ops net.Addr) { listening <- addresses{rooms, ops} },
	}
	cfg.LogLevel = slog.LevelError
	ctx, stop := context.WithCancel(context.Background())
	finished := make(chan error, 1)
	go func() { finished <- app.Run(ctx, cfg) }()
	t.Cleanup(func() {
		stop()
		if err := <-finished; err != nil {
			t.Error(err)
		}
	})
	select {
	case at := <-listening:
		b.rooms, b.ops = "http://"+at.rooms.String(), "http://"+at.ops.String()
	case err := <-finished:
		t.Fatal(err)
	}
	for status := 0; status != http.StatusOK; status, _ = send(t, http.MethodGet, b.ops+"/readyz", "") {
	}
	return b
}

func send(t *testing.T, method, url, body string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(read)
}
