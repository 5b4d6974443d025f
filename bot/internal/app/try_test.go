package app_test

import (
	"io"
	"strings"
	"testing"

	"capzone.dev/bot/internal/app"
	"capzone.dev/devstack/gametest"
)

func TestTry(t *testing.T) {
	game := gametest.Start(t, gametest.Options{})
	game.Account("capzonebot", "correct horse")
	for name, value := range map[string]string{
		"BOT_ACCOUNT_NAME": "capzonebot", "BOT_ACCOUNT_PASSWORD": "correct horse",
		"BOT_GAME_LOGIN_URL": game.LoginURL(), "BOT_GAME_SOCKET_URL": game.SocketURL(),
		"BOT_GAME_LINK_URL": game.LinkURL(),
		"BOT_GAME_SERVERS":  game.ServerName(),
	} {
		t.Setenv(name, value)
	}
	cases := []struct {
		name        string
		environment map[string]string
		output, err string
	}{
		{"room on the server", nil, ": a room in ", ""},
		{"one server without an answer", map[string]string{"BOT_GAME_SERVERS": "1," + game.ServerName()},
			game.ServerName() + ": a room in ", "1: connect"},
		{"room that no player could enter", map[string]string{"BOT_GAME_LINK_URL": "http://127.0.0.1:1/"}, "",
			"cannot visit its own room (page)"},
		{
			"login by IPv4 only", map[string]string{"BOT_GAME_IPV4": "true", "BOT_GAME_LOGIN_URL": "http://[::1]:1/"},
			"", "dial tcp4: address ::1: no suitable address",
		},
		{
			"room by IPv4 only", map[string]string{"BOT_GAME_IPV4": "true",
				"BOT_GAME_SOCKET_URL": "ws://[::1]:{server}/"},
			"logged in as capzonebot", "dial tcp4: address ::1: no suitable address",
		},
		{"wrong password", map[string]string{"BOT_ACCOUNT_PASSWORD": "wrong horse"}, "",
			"the game refused the login: password"},
		{"no account", map[string]string{"BOT_ACCOUNT_PASSWORD": ""}, "", "BOT_ACCOUNT_FILE"},
		{"invalid settings", map[string]string{"BOT_GAME_SERVERS": "?", "BOT_CHAT_SPACING": "1h"}, "",
			"BOT_GAME_SERVERS"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for name, value := range c.environment {
				t.Setenv(name, value)
			}
			var out strings.Builder
			err := app.Try.Execute(t.Context(), &out, nil)
			if (err == nil) != (c.err == "") || (err != nil && !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got %v, want %q", err, c.err)
			}
			if !strings.Contains(out.String(), c.output) || (err != nil && strings.Contains(err.Error(), "horse")) {
				t.Errorf("output %q, error %v", out.String(), err)
			}
		})
	}
	for _, room := range game.State().Rooms {
		if !room.Over {
			t.Error("a room is left open")
		}
	}
	if err := app.Try.Execute(t.Context(), io.Discard, []string{"again"}); err == nil {
		t.Error("arguments are accepted")
	}
}
