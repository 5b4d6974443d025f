package natsapi_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/natsapi"
)

func connect(t *testing.T) *nats.Conn {
	t.Helper()
	nc, err := eventbus.Connect(natstest.Start(t).URL(), "auth-test", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	return nc
}

// serve answers every request on a subject with resp or err.
func serve[Req, Resp any](t *testing.T, nc *nats.Conn, subject string, resp Resp, err error) {
	t.Helper()
	stop, serveErr := eventbus.ServeRPC(nc, subject, "", slog.New(slog.DiscardHandler),
		func(context.Context, Req) (Resp, error) { return resp, err })
	if serveErr != nil {
		t.Fatal(serveErr)
	}
	t.Cleanup(stop)
	require.NoError(t, nc.Flush())
}

func TestBots_Open(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		opened event.RoomOpened
		ok     bool
	}{
		{"as it should be", event.RoomOpened{Bot: "b1", Room: "r1", Link: "https://game.test/r1"}, true},
		{"no bot", event.RoomOpened{Room: "r1", Link: "x"}, false},
		{"no room", event.RoomOpened{Bot: "b1", Link: "x"}, false},
		{"no link: a position in the queue", event.RoomOpened{Bot: "b1", Room: "r1", Position: 2}, true},
		{"a position that cannot be", event.RoomOpened{Bot: "b1", Room: "r1", Position: -1}, false},
		{"a bot that is everybody", event.RoomOpened{Bot: "*", Room: "r1", Link: "x"}, false},
		{"a bot that is a path", event.RoomOpened{Bot: "b1.say", Room: "r1", Link: "x"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			nc := connect(t)
			serve[event.OpenRoom](t, nc, event.RoomOpenSubject, tt.opened, nil)
			room, err := (&natsapi.Bots{NATS: nc}).Open(t.Context(),
				event.OpenRoom{Session: "s1", Lifetime: time.Minute.Milliseconds()})
			if (err == nil) != tt.ok {
				t.Errorf("opened %+v, %v", room, err)
			}
		})
	}
}

func TestBots_Say_in_a_closed_room(t *testing.T) {
	t.Parallel()
	nc := connect(t)
	bots, room := &natsapi.Bots{NATS: nc}, login.Room{Bot: "b1", ID: "r1"}
	serve[event.SayInRoom](t, nc, event.RoomSaySubject("b1"), struct{}{}, problem.NotFound("room_unknown", "Gone."))
	serve[event.RoomQuery](t, nc, event.RoomStateSubject("b1"), event.RoomView{Room: "another"}, nil)
	if err := bots.Say(t.Context(), room, "x"); !errors.Is(err, login.ErrRoomGone) {
		t.Errorf("say: error %v, want %v", err, login.ErrRoomGone)
	}
	if view, err := bots.State(t.Context(), room); err == nil {
		t.Errorf("the state of another room was taken: %+v", view)
	}
	if err := bots.Close(t.Context(), room, ""); !errors.Is(err, eventbus.ErrUnavailable) {
		t.Errorf("close without a bot: error %v, want %v", err, eventbus.ErrUnavailable)
	}
}
