package gameroom_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/gametest"
	"capzone.dev/devstack/require"
)

func TestRooms_Open_logs_in_once(t *testing.T) {
	b := setup(t, nil)
	opened := make(chan error)
	for range 8 {
		go func() {
			room, err := b.rooms.Open(t.Context())
			if err == nil {
				defer func() { _ = room.Close(t.Context()) }()
			}
			opened <- err
		}()
	}
	for range 8 {
		if err := <-opened; err != nil {
			t.Error(err)
		}
	}
	if state := b.game.State(); state.Logins != 1 || len(state.Rooms) != 8 {
		t.Errorf("%d logins for %d rooms", state.Logins, len(state.Rooms))
	}
}

func TestRooms_Open_replaces_a_refused_token(t *testing.T) {
	b := setup(t, nil)
	b.game.Set(gametest.Settings{TokenUses: new(2)})
	for range 4 {
		b.open()
	}
	if logins := b.game.State().Logins; logins != 2 {
		t.Errorf("%d logins", logins)
	}
	b.wantFailures()
}

func TestRooms_Open_pauses_after_a_refused_login(t *testing.T) {
	cases := []struct {
		name   string
		change func(b *bundle)
		reason string
		pause  time.Duration // at most; at least half of it
	}{
		{"wrong password", func(b *bundle) { b.game.Account(account.Name, "another") }, "password", time.Hour},
		{"too many logins", func(b *bundle) { b.game.Set(gametest.Settings{LoginFails: new("ratelimited")}) },
			"ratelimited", time.Hour},
		{"game without an answer", func(b *bundle) { b.game.Set(gametest.Settings{LoginStatus: new(503)}) },
			"503", 30 * time.Second},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t, nil)
			c.change(b)
			for range 3 {
				_, err := b.rooms.Open(t.Context())
				var later verification.RetryLaterError
				if !errors.As(err, &later) || later.For < c.pause/2-time.Second || later.For > c.pause {
					t.Fatalf("got %v", err)
				}
			}
			if _, err := b.rooms.Open(t.Context()); strings.Contains(err.Error(), string(account.Password)) {
				t.Errorf("the error contains the password: %v", err)
			}
			if logins := b.game.State().Logins; logins > 1 {
				t.Errorf("%d logins", logins)
			}
			b.wantFailures(gameroom.StepLogin)
		})
	}
}

func TestRooms_Open_pauses_after_a_refusal(t *testing.T) {
	for _, reason := range []string{"banned", "room_full", "invalid_params"} {
		t.Run(reason, func(t *testing.T) {
			b := setup(t, nil)
			b.game.Set(gametest.Settings{CreateFails: &reason})
			_, err := b.rooms.Open(t.Context())
			var later verification.RetryLaterError
			var refused bonkio.RoomRefusedError
			if !errors.As(err, &later) || !errors.As(err, &refused) || refused.Reason != reason {
				t.Fatalf("got %v", err)
			}
			b.game.Set(gametest.Settings{CreateFails: new("")})
			if _, err := b.rooms.Open(t.Context()); !errors.As(err, &later) {
				t.Errorf("a second request without a pause: %v", err)
			}
			if logins := b.game.State().Logins; logins != 1 {
				t.Errorf("%d logins", logins)
			}
			b.wantFailures(gameroom.StepRoom)
		})
	}
}

func TestRooms_Open_uses_servers_in_turn(t *testing.T) {
	t.Parallel()
	other := gametest.Start(t, gametest.Options{})
	other.Account(account.Name, string(account.Password))
	// The other one refuses the tokens of the first, which shows that it received the request.
	t.Run("rooms", func(t *testing.T) {
		b := setup(t, func(cfg *gameroom.Config) {
			cfg.Servers = append(cfg.Servers, serverOf(other))
			cfg.Backoff = gameroom.BackoffLimits{Initial: time.Nanosecond, Max: time.Nanosecond}
		})
		first, _ := b.rooms.Open(t.Context())
		_, err := b.rooms.Open(t.Context())
		var refused bonkio.RoomRefusedError
		if first == nil || !errors.As(err, &refused) || !strings.Contains(err.Error(), other.ServerName()) {
			t.Errorf("the second room: %v", err)
		}
	})
}

func TestRooms_Open_at_a_limit_of_the_game(t *testing.T) {
	for _, reason := range []string{"rate_limit", "join_rate_limited", "too many rooms"} {
		t.Run(reason, func(t *testing.T) {
			b := setup(t, nil)
			b.game.Set(gametest.Settings{CreateFails: &reason})
			if _, err := b.rooms.Open(t.Context()); !errors.Is(err, verification.ErrLimit) {
				t.Fatalf("got %v", err)
			}
			b.game.Set(gametest.Settings{CreateFails: new("")})
			b.open() // the server is used again without a pause
		})
	}
}

func TestRooms_Open_on_the_server_of_the_games_choice(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) { cfg.Servers = []bonkio.Server{{Name: "1"}} }) // port 1 is closed
	b.game.Set(gametest.Settings{CreateServer: new(b.game.ServerName())})
	b.open()
	b.open()
	state := b.game.State()
	if country := state.Rooms[0].Asked.Country; country != "DE" || state.ServerQuestions != 1 {
		t.Errorf("the rooms are in %s, the game got %d requests for a server", country, state.ServerQuestions)
	}
}

func TestRooms_Open_renews_a_token_before_it_expires(t *testing.T) {
	b := setup(t, nil)
	for i, left := range []time.Duration{time.Minute, time.Hour, time.Hour} {
		token := fmt.Sprintf("e30.%s.c2ln%d", base64.RawURLEncoding.EncodeToString(
			[]byte(fmt.Sprintf(`{"exp":%d}`, time.Now().Add(left).Unix()))), i)
		b.game.Set(gametest.Settings{LoginToken: &token})
		b.open()
	}
	if logins := b.game.State().Logins; logins != 2 {
		t.Errorf("%d logins, want 2", logins)
	}
}

// Ten rooms that are refused together cause one pause, which is longer than the test.
func TestRooms_Open_counts_one_incident_once(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) {
		cfg.Backoff = gameroom.BackoffLimits{Initial: 10 * time.Minute, Max: 24 * time.Hour}
	})
	b.open()
	b.game.Set(gametest.Settings{CreateFails: new("banned")})
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			_, err := b.rooms.Open(t.Context())
			var later verification.RetryLaterError
			if !errors.As(err, &later) || later.For > 10*time.Minute {
				t.Errorf("got %v", err)
			}
		})
	}
	group.Wait()
}

func TestRooms_Check(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *gametest.Settings)
		step   string // empty where the check succeeds
	}{
		"usable room":          {func(*gametest.Settings) {}, ""},
		"chat without an echo": {func(s *gametest.Settings) { lost := 99; s.ChatLost = &lost }, "chat"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, nil)
			var settings gametest.Settings
			c.change(&settings)
			b.game.Set(settings)
			failedStep, err := b.rooms.Check(t.Context())
			if (err != nil) != (c.step != "") || failedStep != c.step {
				t.Errorf("got %v at %q, want %q", err, failedStep, c.step)
			}
			if room := b.game.State().Rooms[0]; !room.Over || len(room.Inside) != 0 {
				t.Errorf("the room is left as %+v", room)
			}
		})
	}
}

func TestRooms_Open_after_a_restart_of_the_game(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) {
		cfg.Backoff = gameroom.BackoffLimits{Initial: 10 * time.Millisecond, Max: 20 * time.Millisecond}
	})
	_, w := b.open()
	b.game.Stop()
	eventually.WaitFor(t, "the room to be lost", func() bool { return w.loss() != "" })
	if _, err := b.rooms.Open(t.Context()); err == nil {
		t.Error("a room on a stopped game")
	}
	b.game.Restart()
	b.game.Account(account.Name, string(account.Password))
	eventually.WaitFor(t, "a room on the new game", func() bool {
		_, err := b.rooms.Open(t.Context())
		return err == nil
	})
}

func TestRooms_Open_does_not_log_secrets(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) {
		cfg.Backoff = gameroom.BackoffLimits{Initial: time.Nanosecond, Max: time.Nanosecond}
	})
	b.game.Set(gametest.Settings{TokenUses: new(1)}) // tokens are refused, too
	room, w := b.open()
	b.open()
	b.game.Enter(room.Link(), gametest.Visitor{Name: "cloudstep"})
	eventually.WaitFor(t, "the visitor to be seen", func() bool { return len(w.visitors()) == 1 })
	require.NoError(t, room.Say(t.Context(), code))
	b.game.Account(account.Name, "another")
	if _, err := b.rooms.Open(t.Context()); err == nil {
		t.Fatal("a room with a wrong password")
	} else if strings.Contains(err.Error(), string(account.Password)) {
		t.Errorf("the error contains the password: %v", err)
	}
	text, err := os.ReadFile(b.log)
	require.NoError(t, err)
	logged := string(text)
	if !strings.Contains(logged, "logged in to the game") {
		t.Errorf("nothing is logged:\n%s", logged)
	}
	path := strings.TrimPrefix(room.Link(), b.game.LinkURL())
	for what, secret := range map[string]string{
		"password": string(account.Password), "code": "042917", "link": path,
		"room's password": b.game.State().Rooms[0].Asked.Password,
	} {
		if strings.Contains(logged, secret) {
			t.Errorf("the log contains the %s:\n%s", what, logged)
		}
	}
}

func TestRooms_Open_closed_port(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) {
		cfg.Servers = []bonkio.Server{{Name: "1"}, cfg.Servers[0]} // port 1 is closed
	})
	for range 3 {
		b.open()
	}
	b.wantFailures(gameroom.StepConnect)
}
