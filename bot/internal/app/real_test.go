package app_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"capzone.dev/bot/internal/app"
	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/gametest"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// realBundle is a bot in real mode, and a stand-in for the game.
type realBundle struct {
	bundle

	game *gametest.Server
}

func setupReal(t *testing.T, outageTimeout time.Duration) realBundle {
	t.Helper()
	b := newReal(t)
	b.runReal(t, app.Config{NATSOutageTimeout: outageTimeout, RoomBurst: 100, RoomInterval: time.Millisecond})
	return b
}

// newReal returns what a bot in real mode needs: NATS, and a game with the bot's account.
func newReal(t *testing.T) realBundle {
	t.Helper()
	t.Parallel()
	b := realBundle{bundle{server: natstest.Start(t)}, gametest.Start(t, gametest.Options{})}
	b.nc, _ = b.server.Provision()
	b.game.Account("capzonebot", "correct horse")
	return b
}

// runReal runs a bot in real mode, with the given pace, until the test ends.
func (b *realBundle) runReal(t *testing.T, cfg app.Config) {
	t.Helper()
	b.runUnready(t, cfg)
	awaitReadiness(t, b.bundle, http.StatusOK)
}

// runUnready is runReal without waiting until the bot is ready.
func (b *realBundle) runUnready(t *testing.T, cfg app.Config) {
	t.Helper()
	cfg.HTTPAddr, cfg.Mode, cfg.GameConfig = "not an address, and not used", app.Real, b.gameConfig(t)
	b.start(t, cfg)
}

func (b *realBundle) gameConfig(t *testing.T) app.GameConfig {
	t.Helper()
	file := filepath.Join(t.TempDir(), "account")
	require.NoError(t, os.WriteFile(file, []byte("capzonebot\r\ncorrect horse\r\n"), 0o600))
	return app.GameConfig{
		SiteName: "Capzone", AccountFile: file, Servers: []string{b.game.ServerName()},
		SocketURL: b.game.SocketURL(), LoginURL: b.game.LoginURL(), LinkURL: b.game.LinkURL(),
		Version: 49, ChatSpacing: 10 * time.Millisecond,
	}
}

func (b realBundle) open(t *testing.T) event.RoomOpened {
	t.Helper()
	opened, err := eventbus.Call[event.RoomOpened](t.Context(), b.nc, event.RoomOpenSubject,
		event.OpenRoom{Session: "s1", Lifetime: 60_000})
	require.NoError(t, err)
	return opened
}

func (b realBundle) state(t *testing.T, opened event.RoomOpened) event.RoomView {
	t.Helper()
	view, err := eventbus.Call[event.RoomView](t.Context(), b.nc, event.RoomStateSubject(opened.Bot),
		event.RoomQuery{Room: opened.Room})
	require.NoError(t, err)
	return view
}

func TestRun_real(t *testing.T) {
	b := setupReal(t, time.Minute)
	opened := b.open(t)
	skin := json.RawMessage(`{"layers":[],"bc":9315498}`)
	player := b.game.Enter(opened.Link, gametest.Visitor{Name: "cloudstep", Level: 57, Avatar: skin})
	eventually.WaitFor(t, "the visitor to be reported", func() bool { return len(b.state(t, opened).Present) == 1 })
	want := []event.Visitor{{Visit: 1, Name: "cloudstep", Level: 57, Skin: skin}}
	assert.Equal(t, "present", want, b.state(t, opened).Present)
	say := event.SayInRoom{Room: opened.Room, Text: "Your login code is 042917."}
	if _, err := eventbus.Call[struct{}](t.Context(), b.nc, event.RoomSaySubject(opened.Bot), say); err != nil {
		t.Fatal(err)
	}
	player.AwaitLine(regexp.MustCompile("042917"))
	if _, err := eventbus.Call[struct{}](t.Context(), b.nc, event.RoomCloseSubject(opened.Bot),
		event.CloseRoom{Room: opened.Room}); err != nil {
		t.Fatal(err)
	}
	player.AwaitState("outside")

	_, metrics := send(t, http.MethodGet, b.ops+"/metrics", "")
	for _, line := range []string{
		`bot_rooms_total{outcome="closed"} 1`, `bot_rooms_total{outcome="lost"} 0`, "bot_rooms_open 0",
		"bot_rooms_max 8", "bot_rooms_free 8", "bot_time_to_code_seconds_count 1",
		`bot_game_failures_total{step="login"} 0`,
	} {
		if !strings.Contains(metrics, line) {
			t.Errorf("no %s in the metrics", line)
		}
	}
}

func TestRun_closes_rooms_without_NATS(t *testing.T) {
	b := setupReal(t, 50*time.Millisecond)
	opened := b.open(t)
	player := b.game.Enter(opened.Link, gametest.Visitor{Name: "cloudstep"})
	b.server.Stop()
	player.AwaitState("outside")
	eventually.WaitFor(t, "the room to end", func() bool { return b.game.State().Rooms[1].Over })
}

func TestConfig_Check_account(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	good := file("good", "capzonebot\ncorrect horse\n")
	cases := []struct {
		name  string
		cfg   app.GameConfig
		wrong string // empty for nothing
	}{
		{"file", app.GameConfig{AccountFile: good}, ""},
		{"file without a last line break", app.GameConfig{AccountFile: file("short", "capzonebot\ncorrect horse")}, ""},
		{"environment", app.GameConfig{AccountName: "capzonebot", AccountPassword: "correct horse"}, ""},
		{"no account", app.GameConfig{}, "BOT_ACCOUNT_FILE, or BOT_ACCOUNT_NAME and BOT_ACCOUNT_PASSWORD"},
		{"name alone", app.GameConfig{AccountName: "capzonebot"}, "BOT_ACCOUNT_PASSWORD"},
		{"file and environment", app.GameConfig{AccountFile: good, AccountName: "capzonebot",
			AccountPassword: "correct horse"}, "one or the other"},
		{"missing file", app.GameConfig{AccountFile: filepath.Join(folder, "absent")}, "BOT_ACCOUNT_FILE"},
		{"empty file", app.GameConfig{AccountFile: file("empty", "")}, "second"},
		{"file with one line", app.GameConfig{AccountFile: file("alone", "correct horse\n")}, "second"},
		{"missing certificates", app.GameConfig{AccountFile: good, CAFile: filepath.Join(folder, "absent")},
			"BOT_GAME_CA_FILE"},
		{"no certificates in the file", app.GameConfig{AccountFile: good, CAFile: good}, "BOT_GAME_CA_FILE"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := validConfig(t)
			cfg.AccountFile, cfg.AccountName, cfg.AccountPassword = c.cfg.AccountFile, c.cfg.AccountName,
				c.cfg.AccountPassword
			cfg.CAFile = c.cfg.CAFile
			err := cfg.Check()
			if (err == nil) != (c.wrong == "") || (err != nil && !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("got %v, want %q", err, c.wrong)
			}
			if err != nil && strings.Contains(err.Error(), "correct horse") {
				t.Errorf("the error contains the password: %v", err)
			}
			cfg.Mode = app.Simulated
			err = cfg.Check()
			none := c.cfg.AccountFile == "" && c.cfg.AccountName == "" && c.cfg.AccountPassword == ""
			if none != (err == nil) || err != nil && !strings.Contains(err.Error(), "BOT_MODE=real") {
				t.Errorf("in simulated mode: %v", err)
			}
		})
	}
}

// validConfig is a configuration of the real mode that passes Check.
func validConfig(t *testing.T) app.Config {
	t.Helper()
	file := filepath.Join(t.TempDir(), "account")
	require.NoError(t, os.WriteFile(file, []byte("capzonebot\ncorrect horse\n"), 0o600))
	return app.Config{
		Mode: app.Real, QueueTimeout: time.Minute, UnusedAfter: time.Minute, CheckEvery: time.Hour,
		GameConfig: app.GameConfig{
			SiteName: "Capzone", AccountFile: file, Servers: []string{"b2ny1"},
			SocketURL: "wss://{server}.bonk.io/socket.io/",
			LoginURL:  "https://bonk2.io/login.php", LinkURL: "https://bonk.io/",
		},
	}
}

func TestConfig_Check(t *testing.T) {
	t.Parallel()
	text := func(set func(cfg *app.Config, value string)) func(*app.Config, any) {
		return func(cfg *app.Config, value any) { set(cfg, value.(string)) }
	}
	duration := func(set func(cfg *app.Config, value time.Duration)) func(*app.Config, any) {
		return func(cfg *app.Config, value any) { set(cfg, value.(time.Duration)) }
	}
	for name, c := range map[string]struct {
		set            func(cfg *app.Config, value any)
		valid, invalid []any
	}{
		"BOT_MODE": {text(func(cfg *app.Config, v string) { cfg.Mode = app.Mode(v) }), []any{"real"},
			[]any{"", "Real"}},
		"BOT_ROOMS": {func(cfg *app.Config, v any) { cfg.Rooms = v.(int) }, []any{0, 1, 1000}, []any{-1, 1001}},
		"BOT_SITE_NAME": {text(func(cfg *app.Config, v string) { cfg.SiteName = v }),
			[]any{"Capzone", "Ça"}, []any{"", "  ", strings.Repeat("x", 31)}},
		"BOT_GAME_SERVERS": {text(func(cfg *app.Config, v string) { cfg.Servers = strings.Split(v, ",") }),
			[]any{"b2ny1", "b2ny1, b2warsaw1"}, []any{"", "b2ny1,", "evil.test/", "a@b", "B2NY1"}},
		"BOT_ROOM_INTERVAL": {duration(func(cfg *app.Config, v time.Duration) { cfg.RoomInterval = v }),
			[]any{time.Duration(0), time.Millisecond, time.Minute}, []any{time.Nanosecond, 2 * time.Minute}},
		"BOT_QUEUE_TIMEOUT": {duration(func(cfg *app.Config, v time.Duration) { cfg.QueueTimeout = v }),
			[]any{time.Second, 24 * time.Hour}, []any{time.Duration(0), 25 * time.Hour}},
		"BOT_CONTACT": {text(func(cfg *app.Config, v string) { cfg.Contact = v }),
			[]any{"", "contact@capzone.test", "https://capzone.test/"}, []any{"a b", "x\r\nHost: evil"}},
		"BOT_CHAT_SPACING": {duration(func(cfg *app.Config, v time.Duration) { cfg.ChatSpacing = v }),
			[]any{time.Duration(0), 3 * time.Second}, []any{4 * time.Second, -time.Second}},
		"BOT_GAME_LOGIN_URL": {text(func(cfg *app.Config, v string) { cfg.LoginURL = v }),
			[]any{"https://bonk2.io/login.php", "http://127.0.0.1:1/", "http://localhost/"},
			[]any{"", "bonk2.io", "http://bonk2.io/login.php", "http://127.0.0.1.evil.test/",
				"https://user:secret@bonk2.io/", "ftp://localhost/"}},
		"BOT_GAME_ROOMS_URL": {text(func(cfg *app.Config, v string) { cfg.RoomsURL = v }),
			[]any{"", "https://bonk2.io/getrooms.php"}, []any{"http://bonk2.io/getrooms.php"}},
		"BOT_GAME_LINK_URL": {text(func(cfg *app.Config, v string) { cfg.LinkURL = v }),
			[]any{"https://bonk.io", "https://bonk.io/"}, []any{"", "http://bonk.io/"}},
		"BOT_GAME_SOCKET_URL": {text(func(cfg *app.Config, v string) { cfg.SocketURL = v }),
			[]any{"wss://{server}.bonk.io/socket.io/", "ws://127.0.0.1:{server}/socket.io/"},
			[]any{"", "wss://b2ny1.bonk.io/socket.io/", "ws://{server}.bonk.io/socket.io/", "https://{server}.bonk.io/",
				"wss://{server}.bonk.io/?a=b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, value := range c.valid {
				cfg := validConfig(t)
				c.set(&cfg, value)
				if err := cfg.Check(); err != nil {
					t.Errorf("%v is refused: %v", value, err)
				}
			}
			for _, value := range c.invalid {
				cfg := validConfig(t)
				c.set(&cfg, value)
				if err := cfg.Check(); err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("%v: %v, want an error of %s", value, err, name)
				}
			}
		})
	}
}

func TestLocation_UnmarshalText(t *testing.T) {
	t.Parallel()
	for text, valid := range map[string]bool{
		"40.71,-74.01,US": true, "0, 0, DE": true,
		"": false, "US": false, "91,0,US": false, "0,181,US": false, "0,0,us": false, "0,0": false, "NaN,0,US": false,
		"0,0,USA": false,
	} {
		if err := new(app.Location).UnmarshalText([]byte(text)); (err == nil) != valid {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestConfig_does_not_print_the_account(t *testing.T) {
	t.Parallel()
	var logged strings.Builder
	cfg := app.Config{GameConfig: app.GameConfig{AccountPassword: bonkio.Secret("correct horse")}}
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("started", "cfg", cfg.GameConfig, "password", cfg.AccountPassword)
	if strings.Contains(logged.String(), "correct horse") {
		t.Errorf("logged: %s", logged.String())
	}
}
