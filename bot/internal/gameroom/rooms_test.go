package gameroom_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/bot/gametest"
	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/devstack/eventually"
)

func TestOneLoginIsForManyRooms(t *testing.T) {
	b := setup(t, nil)
	opened := make(chan error)
	for range 8 {
		go func() {
			room, err := b.rooms.Open(t.Context(), &witness{places: 1})
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

func TestATokenThatIsRefusedIsReplaced(t *testing.T) {
	b := setup(t, nil)
	twice := 2
	b.game.Set(gametest.Settings{TokenUses: &twice})
	for range 4 {
		b.open()
	}
	if logins := b.game.State().Logins; logins != 2 {
		t.Errorf("%d logins", logins)
	}
	if steps := b.failedSteps(); len(steps) != 0 {
		t.Errorf("counted as failures: %v", steps)
	}
}

func TestARefusedLoginIsNotTriedAgainSoon(t *testing.T) {
	cases := []struct {
		name   string
		change func(b *bundle)
		reason string
	}{
		{"a wrong password", func(b *bundle) { b.game.Account(account.Name, "another") }, "password"},
		{"too many logins", func(b *bundle) { reason := "ratelimited"; b.game.Set(gametest.Settings{LoginFails: &reason}) }, "ratelimited"},
		{"a game that is away", func(b *bundle) { status := 503; b.game.Set(gametest.Settings{LoginStatus: &status}) }, "503"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t, nil)
			c.change(b)
			for range 3 {
				_, err := b.rooms.Open(t.Context(), &witness{})
				var later verification.RetryLaterError
				if !errors.As(err, &later) || later.For < 20*time.Minute || later.For > time.Hour {
					t.Fatalf("got %v", err)
				}
			}
			if _, err := b.rooms.Open(t.Context(), &witness{}); strings.Contains(err.Error(), string(account.Password)) {
				t.Errorf("the error holds the password: %v", err)
			}
			if logins := b.game.State().Logins; logins > 1 {
				t.Errorf("%d logins", logins)
			}
			if diff := cmp.Diff([]gameroom.Step{gameroom.StepLogin}, b.failedSteps()); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoginsAreTriedAgainAfterThePause(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) {
		cfg.Backoff = gameroom.BackoffLimits{Initial: 20 * time.Millisecond, Max: 40 * time.Millisecond}
	})
	b.game.Account(account.Name, "another")
	if _, err := b.rooms.Open(t.Context(), &witness{}); err == nil {
		t.Fatal("a room with a wrong password")
	}
	b.game.Account(account.Name, string(account.Password))
	eventually.That(t, "a room", func() bool {
		_, err := b.rooms.Open(t.Context(), &witness{})
		return err == nil
	})
}

func TestARefusedRoomIsNotAskedForAgainSoon(t *testing.T) {
	for _, reason := range []string{"banned", "room_full", "invalid_params", "join_rate_limited"} {
		t.Run(reason, func(t *testing.T) {
			b := setup(t, nil)
			b.game.Set(gametest.Settings{CreateFails: &reason})
			_, err := b.rooms.Open(t.Context(), &witness{})
			var later verification.RetryLaterError
			var refused bonkio.RoomRefusedError
			if !errors.As(err, &later) || !errors.As(err, &refused) || refused.Reason != reason {
				t.Fatalf("got %v", err)
			}
			none := ""
			b.game.Set(gametest.Settings{CreateFails: &none})
			if _, err := b.rooms.Open(t.Context(), &witness{}); !errors.As(err, &later) {
				t.Errorf("asked again at once: %v", err)
			}
			if logins := b.game.State().Logins; logins != 1 {
				t.Errorf("%d logins", logins)
			}
			if diff := cmp.Diff([]gameroom.Step{gameroom.StepRoom}, b.failedSteps()); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnotherServerIsUsedWhereOneIsAway(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) { cfg.Servers = []string{"1", cfg.Servers[0]} }) // nobody listens on port 1
	for range 3 {
		b.open()
	}
	if diff := cmp.Diff([]gameroom.Step{gameroom.StepConnect}, b.failedSteps()); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

func TestSeveralServersAreUsedInTurn(t *testing.T) {
	t.Parallel()
	other := gametest.Start(t, gametest.Options{})
	other.Account(account.Name, string(account.Password))
	// The other one takes other tokens, as a server of another game would: which of them was asked is what counts.
	t.Run("rooms", func(t *testing.T) {
		b := setup(t, func(cfg *gameroom.Config) {
			cfg.Servers = append(cfg.Servers, other.ServerName())
			cfg.Backoff = gameroom.BackoffLimits{Initial: time.Nanosecond, Max: time.Nanosecond}
		})
		first, _ := b.rooms.Open(t.Context(), &witness{})
		_, err := b.rooms.Open(t.Context(), &witness{})
		var refused bonkio.RoomRefusedError
		if first == nil || !errors.As(err, &refused) || !strings.Contains(err.Error(), other.ServerName()) {
			t.Errorf("the second room: %v", err)
		}
	})
}

func TestNoMoreRoomsThanAMinuteAllows(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) { cfg.RoomsPerMinute = 2 })
	b.open()
	b.open()
	_, err := b.rooms.Open(t.Context(), &witness{})
	var later verification.RetryLaterError
	if !errors.As(err, &later) || later.For > time.Minute || later.For < 30*time.Second {
		t.Errorf("got %v", err)
	}
	if rooms := b.game.State().Rooms; len(rooms) != 2 {
		t.Errorf("%d rooms", len(rooms))
	}
}

func TestTheGameStartsAnew(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) {
		cfg.Backoff = gameroom.BackoffLimits{Initial: 10 * time.Millisecond, Max: 20 * time.Millisecond}
	})
	_, w := b.open()
	b.game.Stop()
	eventually.That(t, "the room to be lost", func() bool { return w.lostBecause() != "" })
	if _, err := b.rooms.Open(t.Context(), &witness{}); err == nil {
		t.Error("a room on a game that is away")
	}
	b.game.Restart()
	b.game.Account(account.Name, string(account.Password))
	eventually.That(t, "a room on the new game", func() bool {
		_, err := b.rooms.Open(t.Context(), &witness{places: 1})
		return err == nil
	})
}

func TestSecretsAreNotLogged(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) {
		cfg.Backoff = gameroom.BackoffLimits{Initial: time.Nanosecond, Max: time.Nanosecond}
	})
	once := 1
	b.game.Set(gametest.Settings{TokenUses: &once}) // tokens are refused, too
	room, w := b.open()
	b.open()
	b.game.Enter(room.Link(), gametest.Visitor{Name: "cloudstep"})
	eventually.That(t, "the visitor to be seen", func() bool { return len(w.visitors()) == 1 })
	if err := room.Say(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	b.game.Account(account.Name, "another")
	if _, err := b.rooms.Open(t.Context(), &witness{}); err == nil {
		t.Fatal("a room with a wrong password")
	} else if strings.Contains(err.Error(), string(account.Password)) {
		t.Errorf("the error holds the password: %v", err)
	}
	logged := b.logged.String()
	if !strings.Contains(logged, "logged in to the game") {
		t.Errorf("nothing is logged:\n%s", logged)
	}
	path := strings.TrimPrefix(room.Link(), b.game.LinkURL())
	for what, secret := range map[string]string{
		"password": string(account.Password), "code": "042917", "link": path, "room's password": b.game.State().Rooms[0].Asked.Password,
	} {
		if strings.Contains(logged, secret) {
			t.Errorf("the log holds the %s:\n%s", what, logged)
		}
	}
}
