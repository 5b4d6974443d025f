package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/bot/internal/app"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/service"
)

func TestRun_simulated(t *testing.T) {
	b := setup(t)
	opened, err := eventbus.Call[event.RoomOpened](t.Context(), b.nc, event.RoomOpenSubject,
		event.OpenRoom{Session: "s1", Lifetime: 60_000})
	require.NoError(t, err)
	site, key, ok := strings.Cut(opened.Link, "/rooms/")
	if !ok || !strings.HasPrefix(site, "http://localhost:") || key == opened.Room {
		t.Errorf("link %s of room %s", opened.Link, opened.Room)
	}
	link := b.rooms + "/rooms/" + key // the test listens on 127.0.0.1 only

	if status, answer := send(t, http.MethodPost, link+"/join",
		`{"name":"cloudstep","level":57,"guest":false,"skin":{"layers":[],"bc":9315498}}`); status != 200 {
		t.Fatalf("join: %d %s", status, answer)
	}
	view, err := eventbus.Call[event.RoomView](t.Context(), b.nc, event.RoomStateSubject(opened.Bot),
		event.RoomQuery{Room: opened.Room})
	require.NoError(t, err)
	if len(view.Present) != 1 || view.Present[0].Name != "cloudstep" || view.Present[0].Level != 57 {
		t.Errorf("present: %+v", view.Present)
	}
	say := event.SayInRoom{Room: opened.Room, Text: "Your code is 042917."}
	if _, err := eventbus.Call[struct{}](t.Context(), b.nc, event.RoomSaySubject(opened.Bot), say); err != nil {
		t.Fatal(err)
	}
	_, chat := send(t, http.MethodGet, link+"/messages", "")
	var messages []struct{ From, Text string }
	if err := json.Unmarshal([]byte(chat), &messages); err != nil || len(messages) != 1 ||
		messages[0].Text != say.Text {
		t.Errorf("chat: %s %v", chat, err)
	}
	if status, answer := send(t, http.MethodPost, link+"/leave", ""); status != 200 {
		t.Errorf("leave: %d %s", status, answer)
	}
}

func TestRun_operations(t *testing.T) {
	b := setup(t)
	for path, want := range map[string]string{"/healthz": "", "/readyz": "", "/metrics": "bot_rooms_max 3"} {
		if status, answer := send(t, http.MethodGet, b.ops+path, ""); status != 200 || !strings.Contains(answer, want) {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
	b.server.Stop()
	awaitReadiness(t, b, http.StatusServiceUnavailable)
	if status, _ := send(t, http.MethodGet, b.ops+"/healthz", ""); status != 200 {
		t.Errorf("healthz without NATS: %d", status)
	}
}

func TestConfig_names_every_invalid_value(t *testing.T) {
	for name, value := range map[string]string{
		"NATS_URL": "", "BOT_ROOMS": "many", "BOT_PUBLIC_URL": "rooms",
		"BOT_NATS_OUTAGE_TIMEOUT": "soon", "LOG_LEVEL": "loud",
	} {
		t.Setenv(name, value)
	}
	var cfg app.Config
	err := service.ReadEnv(&cfg)
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{"NATS_URL", "BOT_ROOMS", "http://HOST", "soon", "loud"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in: %v", part, err)
		}
	}
}

// A missing setting must not lead to simulated rooms, in which anybody can log in as anyone.
func TestConfig_mode_has_no_default(t *testing.T) {
	t.Setenv("NATS_URL", "nats://localhost:4222")
	for _, set := range []func(){func() {}, func() { t.Setenv("BOT_MODE", "") }} {
		set()
		var cfg app.Config
		if err := service.ReadEnv(&cfg); err == nil || !strings.Contains(err.Error(), "BOT_MODE") {
			t.Errorf("got %v", err)
		}
	}
}

func TestConfig_defaults(t *testing.T) {
	t.Setenv("NATS_URL", "nats://localhost:4222")
	t.Setenv("BOT_MODE", "simulated")
	var cfg app.Config
	require.NoError(t, service.ReadEnv(&cfg))
	if cfg.Mode != app.Simulated || cfg.Rooms != 0 || cfg.NATSOutageTimeout != 30*time.Second {
		t.Errorf("got mode %s, %d rooms, outage timeout %s", cfg.Mode, cfg.Rooms, cfg.NATSOutageTimeout)
	}
}
