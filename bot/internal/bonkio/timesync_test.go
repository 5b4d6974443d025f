package bonkio

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
)

// timesyncServer is a game server that creates a room and records the timesyncs of its host.
type timesyncServer struct {
	began     time.Time
	timesyncs chan timesync
}

type timesync struct {
	ID    string
	After time.Duration
}

// ServeHTTP implements http.Handler. Connections end when the client closes them.
func (s *timesyncServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = ws.CloseNow() }()
	_ = s.serve(r.Context(), ws) // the client has closed the connection
}

func (s *timesyncServer) serve(ctx context.Context, ws *websocket.Conn) error {
	if err := writeFrames(ctx, ws, `0{"pingInterval":25000,"pingTimeout":5000}`, "40"); err != nil {
		return err
	}
	for {
		_, frame, err := ws.Read(ctx)
		if err != nil {
			return err
		}
		text := strings.TrimLeft(string(frame), "0123456789")
		id := strings.TrimPrefix(strings.TrimSuffix(string(frame), text), "42")
		switch {
		case string(frame) == "2":
			err = writeFrames(ctx, ws, "3")
		case strings.HasPrefix(text, "[12,"):
			err = writeFrames(ctx, ws, `42[2,"address"]`, `42[49,1,"abc"]`)
		case strings.HasPrefix(text, "[18,"):
			s.timesyncs <- timesync{ID: id, After: time.Since(s.began)}
			err = writeFrames(ctx, ws, "43"+id+"[{}]")
		}
		if err != nil {
			return err
		}
	}
}

func writeFrames(ctx context.Context, ws *websocket.Conn, frames ...string) error {
	for _, frame := range frames {
		if err := ws.Write(ctx, websocket.MessageText, []byte(frame)); err != nil {
			return err
		}
	}
	return nil
}

// pipeListener accepts connections within the process, as synctest requires.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	conn, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (l pipeListener) Close() error {
	close(l)
	return nil
}

func (l pipeListener) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	l <- server
	return client, nil
}

func TestSocket_synchronises_the_clock_every_ten_seconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		game := &timesyncServer{began: time.Now(), timesyncs: make(chan timesync, 16)}
		listener := make(pipeListener)
		server := &http.Server{Handler: game, ReadHeaderTimeout: time.Second}
		go func() { _ = server.Serve(listener) }()
		defer func() { _ = server.Close() }()

		client := &Client{
			cfg:  Config{SocketURL: "ws://{server}.test/"},
			http: &http.Client{Transport: &http.Transport{DialContext: listener.dial}},
		}
		room, err := client.CreateRoom(t.Context(), Server{Name: "b2ny1"}, Session{Token: "t"},
			RoomSpec{Name: "Capzone login"})
		require.NoError(t, err)
		defer room.Close(t.Context())

		var got []timesync
		end := time.After(45 * time.Second) // of the bubble's clock
		for ended := false; !ended; {
			select {
			case sync := <-game.timesyncs:
				got = append(got, sync)
			case <-end:
				ended = true
			}
		}
		want := []timesync{
			{"0", 0}, {"1", 10 * time.Second}, {"2", 20 * time.Second}, {"3", 30 * time.Second},
			{"4", 40 * time.Second},
		}
		assert.Equal(t, "timesyncs", want, got)
	})
}
