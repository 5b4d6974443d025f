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

	"github.com/google/go-cmp/cmp"

	"capzone.dev/bot/gametest"
	"capzone.dev/bot/internal/app"
	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// realBundle is a bot in real mode on a stand-in for the game.
type realBundle struct {
	bundle

	game *gametest.Server
}

func setupReal(t *testing.T, patience time.Duration) realBundle {
	t.Helper()
	b := newReal(t)
	b.runReal(t, app.Config{Patience: patience, RoomBurst: 100, RoomInterval: app.Interval(time.Millisecond)})
	return b
}

// newReal returns the surroundings of a bot in real mode: NATS, and a game with the bot's account.
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

// runUnready is runReal without waiting until the bot takes logins.
func (b *realBundle) runUnready(t *testing.T, cfg app.Config) {
	t.Helper()
	cfg.HTTPAddr, cfg.Mode, cfg.GameConfig = "not an address, and not used", app.Real, b.gameConfig(t)
	b.start(t, cfg)
}

func (b *realBundle) gameConfig(t *testing.T) app.GameConfig {
	t.Helper()
	file := filepath.Join(t.TempDir(), "account")
	if err := os.WriteFile(file, []byte("capzonebot\r\ncorrect horse\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return app.GameConfig{
		SiteName: "Capzone", AccountFile: file, Servers: app.ServerNames{b.game.ServerName()},
		SocketURL: app.SocketURL(b.game.SocketURL()), LoginURL: app.LoginURL(b.game.LoginURL()), LinkURL: app.LinkURL(b.game.LinkURL()),
		Version: 49, ChatSpacing: app.Spacing(10 * time.Millisecond),
	}
}

func (b realBundle) open(t *testing.T) event.RoomOpened {
	t.Helper()
	opened, err := eventbus.Call[event.OpenRoom, event.RoomOpened](t.Context(), b.nc, event.RoomOpenSubject,
		event.OpenRoom{Session: "s1", Lifetime: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

func (b realBundle) state(t *testing.T, opened event.RoomOpened) event.RoomView {
	t.Helper()
	view, err := eventbus.Call[event.RoomQuery, event.RoomView](t.Context(), b.nc, event.RoomStateSubject(opened.Bot),
		event.RoomQuery{Room: opened.Room})
	if err != nil {
		t.Fatal(err)
	}
	return view
}

func TestRun_real(t *testing.T) {
	b := setupReal(t, time.Minute)
	opened := b.open(t)
	skin := json.RawMessage(`{"layers":[],"bc":9315498}`)
	player := b.game.Enter(opened.Link, gametest.Visitor{Name: "cloudstep", Level: 57, Avatar: skin})
	eventually.That(t, "the visitor to be seen", func() bool { return len(b.state(t, opened).Present) == 1 })
	want := []event.Visitor{{Visit: 1, Name: "cloudstep", Level: 57, Skin: skin}}
	if diff := cmp.Diff(want, b.state(t, opened).Present); diff != "" {
		t.Errorf("present (-want +got):\n%s", diff)
	}
	say := event.SayInRoom{Room: opened.Room, Text: "Your login code is 042917."}
	if _, err := eventbus.Call[event.SayInRoom, struct{}](t.Context(), b.nc, event.RoomSaySubject(opened.Bot),
		say); err != nil {
		t.Fatal(err)
	}
	player.AwaitLine(regexp.MustCompile("042917"))
	if _, err := eventbus.Call[event.CloseRoom, struct{}](t.Context(), b.nc, event.RoomCloseSubject(opened.Bot),
		event.CloseRoom{Room: opened.Room}); err != nil {
		t.Fatal(err)
	}
	player.AwaitState("outside")

	_, metrics := send(t, http.MethodGet, b.ops+"/metrics", "")
	for _, line := range []string{
		`bot_rooms_total{outcome="closed"} 1`, `bot_rooms_total{outcome="lost"} 0`, "bot_rooms_open 0", "bot_rooms_max 8", "bot_rooms_free 8",
		"bot_time_to_code_seconds_count 1", `bot_game_failures_total{step="login"} 0`,
	} {
		if !strings.Contains(metrics, line) {
			t.Errorf("no %s in the metrics", line)
		}
	}
}

func TestRun_reports_a_room_that_the_game_loses(t *testing.T) {
	b := setupReal(t, time.Minute)
	opened := b.open(t)
	b.game.DropHost(1) // the first was the bot's check
	eventually.That(t, "the room to be over", func() bool { return !b.state(t, opened).Open })
	_, metrics := send(t, http.MethodGet, b.ops+"/metrics", "")
	if !strings.Contains(metrics, `bot_rooms_total{outcome="lost"} 1`) {
		t.Error("the loss is not counted")
	}
}

func TestRun_closes_rooms_without_NATS(t *testing.T) {
	b := setupReal(t, 50*time.Millisecond)
	opened := b.open(t)
	player := b.game.Enter(opened.Link, gametest.Visitor{Name: "cloudstep"})
	b.server.Stop()
	player.AwaitState("outside")
	eventually.That(t, "the room to be over", func() bool { return b.game.State().Rooms[1].Over })
}

func TestConfig_Check_account(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good", "capzonebot\ncorrect horse\n")
	cases := []struct {
		name  string
		cfg   app.GameConfig
		wrong string // empty for nothing
	}{
		{"a file", app.GameConfig{AccountFile: good}, ""},
		{"a file without a last line break", app.GameConfig{AccountFile: file("short", "capzonebot\ncorrect horse")}, ""},
		{"the environment", app.GameConfig{AccountName: "capzonebot", AccountPassword: "correct horse"}, ""},
		{"nothing", app.GameConfig{}, "BOT_ACCOUNT_FILE, or BOT_ACCOUNT_NAME and BOT_ACCOUNT_PASSWORD"},
		{"a name alone", app.GameConfig{AccountName: "capzonebot"}, "BOT_ACCOUNT_PASSWORD"},
		{"both", app.GameConfig{AccountFile: good, AccountName: "capzonebot", AccountPassword: "correct horse"},
			"one or the other"},
		{"a file that is not there", app.GameConfig{AccountFile: filepath.Join(folder, "absent")}, "BOT_ACCOUNT_FILE"},
		{"an empty file", app.GameConfig{AccountFile: file("empty", "")}, "second"},
		{"a file with a password alone", app.GameConfig{AccountFile: file("alone", "correct horse\n")}, "second"},
		{"certificates that are not there", app.GameConfig{AccountFile: good, CAFile: filepath.Join(folder, "absent")},
			"BOT_GAME_CA_FILE"},
		{"certificates that are none", app.GameConfig{AccountFile: good, CAFile: good}, "BOT_GAME_CA_FILE"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := app.Config{Mode: app.Real, GameConfig: c.cfg}.Check()
			if (err == nil) != (c.wrong == "") || (err != nil && !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("got %v, want %q", err, c.wrong)
			}
			if err != nil && strings.Contains(err.Error(), "correct horse") {
				t.Errorf("the error holds the password: %v", err)
			}
			err = app.Config{Mode: app.Simulated, GameConfig: c.cfg}.Check()
			none := c.cfg.AccountFile == "" && c.cfg.AccountName == "" && c.cfg.AccountPassword == ""
			if none != (err == nil) || err != nil && !strings.Contains(err.Error(), "BOT_MODE=real") {
				t.Errorf("in simulated mode: %v", err)
			}
		})
	}
}

func TestConfig_settings_of_the_game(t *testing.T) {
	t.Parallel()
	type setting interface{ UnmarshalText(text []byte) error }
	for name, c := range map[string]struct {
		into      setting
		right     []string
		different []string // wrong
	}{
		"BOT_MODE":      {new(app.Mode), []string{"real", "simulated"}, []string{"", "Real"}},
		"BOT_SITE_NAME": {new(app.SiteName), []string{"Capzone", "Ça"}, []string{"", "  ", strings.Repeat("x", 31)}},
		"BOT_GAME_SERVERS": {new(app.ServerNames), []string{"b2ny1", "b2ny1, b2warsaw1"},
			[]string{"", "b2ny1,", "evil.test/", "a@b", "B2NY1"}},
		"BOT_ROOM_INTERVAL": {new(app.Interval), []string{"1ms", "2500ms", "1m"}, []string{"", "0s", "2m", "slow"}},
		"BOT_LINE_TIMEOUT":  {new(app.Wait), []string{"1s", "24h"}, []string{"", "0s", "25h", "60"}},
		"BOT_CONTACT": {new(app.Contact), []string{"contact@capzone.test", "https://capzone.test/"},
			[]string{"", "a b", "x\r\nHost: evil"}},
		"BOT_CHAT_SPACING": {new(app.Spacing), []string{"0s", "3s"}, []string{"", "3", "4s", "-1s"}},
		"BOT_GAME_LOCATION": {new(app.Location), []string{"40.71,-74.01,US", "0, 0, DE"},
			[]string{"", "US", "91,0,US", "0,181,US", "0,0,us", "0,0", "NaN,0,US"}},
		"BOT_GAME_LOGIN_URL": {
			new(app.LoginURL), []string{"https://bonk2.io/login.php", "http://127.0.0.1:1/", "http://localhost/"},
			[]string{"", "bonk2.io", "http://bonk2.io/login.php", "http://127.0.0.1.evil.test/",
				"https://user:secret@bonk2.io/", "ftp://localhost/"},
		},
		"BOT_GAME_LINK_URL": {new(app.LinkURL), []string{"https://bonk.io", "https://bonk.io/"},
			[]string{"", "http://bonk.io/"}},
		"BOT_GAME_SOCKET_URL": {
			new(app.SocketURL), []string{"wss://{server}.bonk.io/socket.io/", "ws://127.0.0.1:{server}/socket.io/"},
			[]string{"", "wss://b2ny1.bonk.io/socket.io/", "ws://{server}.bonk.io/socket.io/", "https://{server}.bonk.io/",
				"wss://{server}.bonk.io/?a=b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, text := range c.right {
				if err := c.into.UnmarshalText([]byte(text)); err != nil {
					t.Errorf("%q is refused: %v", text, err)
				}
			}
			for _, text := range c.different {
				if c.into.UnmarshalText([]byte(text)) == nil {
					t.Errorf("%q is accepted", text)
				}
			}
		})
	}
}

func TestConfig_does_not_print_the_account(t *testing.T) {
	t.Parallel()
	var handled strings.Builder
	cfg := app.Config{GameConfig: app.GameConfig{AccountPassword: bonkio.Secret("correct horse")}}
	slog.New(slog.NewJSONHandler(&handled, nil)).Info("started", "cfg", cfg.GameConfig, "password", cfg.AccountPassword)
	if strings.Contains(handled.String(), "correct horse") {
		t.Errorf("logged: %s", handled.String())
	}
}
