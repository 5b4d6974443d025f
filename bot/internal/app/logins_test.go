package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/bot/internal/app"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/gametest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// login takes the steps of auth and of a player for one login. It returns an error where the bot refuses it.
func (b realBundle) login(t *testing.T, session string) error {
	t.Helper()
	opened, err := b.request(t, session)
	if err != nil {
		return err
	}
	link := opened.Link
	for deadline := time.Now().Add(2 * time.Minute); link == ""; {
		if time.Now().After(deadline) {
			return errors.New("no room was opened")
		}
		time.Sleep(50 * time.Millisecond) // polls as the login page does
		link = b.state(t, opened).Link
	}
	player := b.game.Enter(link, gametest.Visitor{Name: "player " + session, Level: 7})
	eventually.WaitFor(t, "the player to be reported", func() bool { return len(b.state(t, opened).Present) == 1 })
	say := event.SayInRoom{Room: opened.Room, Text: "Your login code is 042917."}
	if err := b.call(t, event.RoomSaySubject(opened.Bot), say); err != nil {
		return err
	}
	player.AwaitLine(regexp.MustCompile("042917"))
	return b.call(t, event.RoomCloseSubject(opened.Bot), event.CloseRoom{Room: opened.Room, Text: "You are logged in."})
}

func (b realBundle) request(t *testing.T, session string) (event.RoomOpened, error) {
	t.Helper()
	request := event.OpenRoom{Session: session, Lifetime: (3 * time.Minute).Milliseconds()}
	ctx := t.Context()
	opened, err := eventbus.Call[event.RoomOpened](withTimeout(ctx, t), b.nc, event.RoomOpenSubject, request)
	if errors.Is(err, nats.ErrNoResponders) {
		opened, err = eventbus.Call[event.RoomOpened](withTimeout(ctx, t), b.nc, event.RoomWaitSubject, request)
	}
	return opened, err
}

func (b realBundle) call(t *testing.T, subject string, request any) error {
	t.Helper()
	_, err := eventbus.Call[struct{}](withTimeout(t.Context(), t), b.nc, subject, request)
	return err
}

// logins logs in so many players at once. None may be refused.
func (b realBundle) logins(t *testing.T, count int) {
	t.Helper()
	var group sync.WaitGroup
	for i := range count {
		group.Go(func() {
			if err := b.login(t, fmt.Sprint("s", i)); err != nil {
				t.Errorf("login %d: %v", i, err)
			}
		})
	}
	group.Wait()
}

func TestRun_logins_in_a_slow_game(t *testing.T) {
	b := newReal(t)
	b.game.Set(gametest.Settings{StepDelay: new(400)})
	b.runReal(t, app.Config{NATSOutageTimeout: time.Minute, RoomBurst: 3})
	b.logins(t, 2)
}

func TestRun_failing_own_room(t *testing.T) {
	b := newReal(t)
	b.game.Set(gametest.Settings{LobbyLost: new(true)})
	b.runUnready(t, app.Config{NATSOutageTimeout: time.Minute, RoomBurst: 10, RoomInterval: time.Millisecond})
	eventually.WaitFor(t, "the metric to name the step", func() bool {
		_, metrics := send(t, http.MethodGet, b.ops+"/metrics", "")
		return strings.Contains(metrics, `bot_own_room_failing{step="first_data"} 1`)
	})
	if _, err := b.request(t, "s1"); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("a login: %v", err)
	}
	if status, _ := send(t, http.MethodGet, b.ops+"/readyz", ""); status != http.StatusServiceUnavailable {
		t.Errorf("readiness %d", status)
	}
	b.game.Set(gametest.Settings{LobbyLost: new(false)})
	awaitReadiness(t, b.bundle, http.StatusOK)
	if err := b.login(t, "s2"); err != nil {
		t.Error(err)
	}
}
