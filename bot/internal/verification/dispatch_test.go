package verification

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
)

// realRate is the configuration of the real mode.
func realRate(capacity int) Config {
	return Config{Capacity: capacity, Burst: 3, Interval: 2500 * time.Millisecond}
}

// arrivals opens rooms for logins that arrive together, and waits until all are answered.
func arrivals(t *testing.T, bot *Bot, logins ...event.OpenRoom) []event.RoomOpened {
	t.Helper()
	answers := make([]event.RoomOpened, len(logins))
	var group sync.WaitGroup
	for i, login := range logins {
		login.Lifetime = (3 * time.Minute).Milliseconds()
		group.Go(func() {
			answer, err := bot.Open(t.Context(), login)
			if err != nil {
				t.Errorf("login %s: %v", login.Session, err)
			}
			answers[i] = answer
		})
		synctest.Wait() // in the order of the list
	}
	group.Wait()
	return answers
}

func sessions(count int) []event.OpenRoom {
	logins := make([]event.OpenRoom, count)
	for i := range logins {
		logins[i].Session = fmt.Sprint("s", i+1)
	}
	return logins
}

func TestBot_Open_at_the_configured_rate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, reporter := setupWith(t, realRate(8))
		defer shutdown(t, bot)
		began := time.Now()
		answers := arrivals(t, bot, sessions(6)...)
		var links, positions []int
		for i, answer := range answers {
			if answer.Link != "" {
				links = append(links, i)
			} else {
				positions = append(positions, answer.Position)
			}
		}
		if !slices.Equal(links, []int{0, 1, 2}) || !slices.Equal(positions, []int{0, 1, 2}) {
			t.Errorf("rooms at once for %v, positions of the others %v", links, positions)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		var created []time.Duration
		for _, room := range game.rooms {
			created = append(created, room.openedAt.Sub(began).Round(500*time.Millisecond))
		}
		want := []time.Duration{0, 0, 0, 2500 * time.Millisecond, 5 * time.Second, 7500 * time.Millisecond}
		if diff := gocmp.Diff(want, created); diff != "" {
			t.Errorf("created (-want +got):\n%s", diff)
		}
		// The last login of the queue gets a report of each position, then one of its open room.
		var reported []string
		for _, r := range reporter.reports() {
			if r.Session == "s6" {
				reported = append(reported, fmt.Sprintf("%d %s %d", r.Number, r.Kind, r.Position))
			}
		}
		if diff := gocmp.Diff([]string{"1 queued 1", "2 queued 0", "3 ready 0"}, reported); diff != "" {
			t.Errorf("reports (-want +got):\n%s", diff)
		}
		if view := state(t, bot, answers[5].Room); !view.Open || view.Link == "" {
			t.Errorf("the last one's room is %+v", view)
		}
	})
}

func TestBot_Open_pause_of_the_game(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, _ := setup(t, 2)
		defer shutdown(t, bot)
		game.refuses = RetryLaterError{For: 2 * time.Minute, Cause: errors.New("banned")}
		ask := func() error {
			_, err := bot.Open(t.Context(), event.OpenRoom{Session: "s1", Lifetime: 60_000})
			return err
		}
		for range 2 {
			if err := ask(); !errors.Is(err, ErrBackingOff) || bot.CanOpen() || bot.CanWait() {
				t.Errorf("got %v, takes logins: %t", err, bot.CanWait())
			}
			game.set(func() { game.refuses = nil })
		}
		if game.count() != 0 {
			t.Error("a room was created during the pause")
		}
		time.Sleep(2*time.Minute + dispatchEvery)
		if err := ask(); err != nil {
			t.Errorf("after the pause: %v", err)
		}
	})
}

func TestBot_spare_rooms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := realRate(8)
		cfg.Spares = 2
		bot, game, reporter := setupWith(t, cfg)
		bot.Start()
		time.Sleep(10 * time.Second)
		if game.count() != 2 || bot.Stats().InUse != 0 {
			t.Fatalf("%d rooms ahead, %d held", game.count(), bot.Stats().InUse)
		}
		used := map[string]bool{}
		for i := range 6 {
			opened := open(t, bot, fmt.Sprint("s", i))
			if used[opened.Link] {
				t.Errorf("the room %s is used twice", opened.Link)
			}
			used[opened.Link] = true
			closeRoom(t, bot, opened.Room, "")
			time.Sleep(10 * time.Second)
		}
		open(t, bot, "last")
		game.mu.Lock()
		spare := game.rooms[len(game.rooms)-1]
		game.mu.Unlock()
		spare.endInGame()
		synctest.Wait()
		if opened := open(t, bot, "after that"); opened.Link == spare.link {
			t.Error("a login got a room that has ended")
		}
		shutdown(t, bot)
		if left := game.openRooms(); left != 0 {
			t.Errorf("%d rooms are left open", left)
		}
		if kinds := reporter.kinds(); slices.Contains(kinds, event.RoomReady) {
			t.Errorf("reports %v", kinds)
		}
	})
}

// Eight addresses that have all rooms do not keep a player of a ninth address waiting.
func TestBot_Open_is_fair_to_other_addresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, _, reporter := setupWith(t, realRate(8))
		defer shutdown(t, bot)
		first := sessions(8)
		arrivals(t, bot, first...)
		for bot.Stats().InUse < 8 {
			time.Sleep(time.Second)
		}
		var second []event.OpenRoom
		for _, login := range first {
			second = append(second, event.OpenRoom{Session: "second of " + login.Session, Held: 1})
		}
		arrivals(t, bot, second...)
		began := time.Now()
		ninth := arrivals(t, bot, event.OpenRoom{Session: "ninth"})[0]
		if ninth.Position != 0 {
			t.Errorf("%d logins are before that of the ninth address", ninth.Position)
		}
		for !state(t, bot, ninth.Room).Open {
			time.Sleep(100 * time.Millisecond)
			if time.Since(began) > time.Minute {
				t.Fatal("the ninth address got no room within a minute")
			}
		}
		for _, r := range reporter.reports() {
			if r.Kind == event.RoomClosed && !slices.ContainsFunc(first,
				func(l event.OpenRoom) bool { return l.Session == r.Session }) {
				t.Errorf("the room of %s was closed", r.Session)
			}
		}
	})
}

func TestBot_Open_keeps_rooms_with_visitors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, _ := setup(t, 1)
		defer shutdown(t, bot)
		used := arrivals(t, bot, sessions(1)...)[0]
		game.first().watcher.Joined(event.Visitor{Name: "cloudstep"})
		arrivals(t, bot, event.OpenRoom{Session: "waits"})
		time.Sleep(65 * time.Second)
		synctest.Wait()
		if !state(t, bot, used.Room).Open {
			t.Error("a room in use was closed")
		}
	})
}

func TestBot_RunChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := realRate(2)
		cfg.CheckEvery = time.Hour
		bot, game, _ := setupWith(t, cfg)
		if bot.CanOpen() || bot.CanWait() {
			t.Error("logins are taken before the first check")
		}
		game.failedStep, game.checkErr = "first_data", errors.New("a string")
		ctx, stop := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() { bot.RunChecks(ctx) })
		time.Sleep(time.Minute)
		if _, err := bot.Open(t.Context(), event.OpenRoom{Session: "s1", Lifetime: 60_000}); !errors.Is(err,
			ErrBackingOff) || bot.CanWait() {
			t.Errorf("a login after a failed check: %v", err)
		}
		wantFailing(t, bot, "first_data")
		game.set(func() { game.failedStep, game.checkErr = "", nil })
		time.Sleep(5 * time.Minute)
		wantFailing(t, bot, "")
		if !bot.CanOpen() {
			t.Fatal("no logins are taken after a check that succeeded")
		}
		opened := open(t, bot, "s1")
		// A check for which the game creates no room changes nothing; one that fails does.
		game.set(func() { game.failedStep, game.checkErr = "room", ErrLimit })
		time.Sleep(time.Hour)
		if !bot.IsReady() {
			t.Error("a limit of the game stopped the logins")
		}
		game.set(func() { game.failedStep, game.checkErr = "page", errors.New("404") })
		time.Sleep(time.Hour)
		if bot.IsReady() {
			t.Error("logins are taken although the bot cannot enter its own room")
		}
		wantFailing(t, bot, "page")
		game.set(func() { game.failedStep, game.checkErr = "", nil })
		stop()
		group.Wait()
		closeRoom(t, bot, opened.Room, "")
		shutdown(t, bot)
	})
}

// wantFailing compares the step at which the metrics show that a check failed, "" for none.
func wantFailing(t *testing.T, bot *Bot, want string) {
	t.Helper()
	m := metricsOf(bot)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failed != want {
		t.Errorf("the check failed at %q, want %q", m.failed, want)
	}
}

func TestBot_Open_queue_timeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, _, reporter := setupWith(t, Config{Capacity: 1, QueueTimeout: 20 * time.Second})
		defer shutdown(t, bot)
		arrivals(t, bot, sessions(2)...)
		time.Sleep(21 * time.Second)
		synctest.Wait()
		reports := reporter.reports()
		if len(reports) != 1 || reports[0].Session != "s2" || reports[0].Kind != event.RoomLost ||
			bot.Stats().Waiting != 0 {
			t.Errorf("reports %+v", reports)
		}
	})
}

func TestBot_Open_of_twenty_at_once(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, _, reporter := setupWith(t, realRate(8))
		defer shutdown(t, bot)
		began := time.Now()
		for _, answer := range arrivals(t, bot, sessions(20)...) {
			go func() { // a player needs five seconds
				for !state(t, bot, answer.Room).Open {
					time.Sleep(time.Second)
				}
				time.Sleep(5 * time.Second)
				closeRoom(t, bot, answer.Room, "")
			}()
		}
		for bot.Stats().InUse+bot.Stats().Waiting > 0 {
			time.Sleep(100 * time.Millisecond)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("took %s", took)
		}
		if kinds := reporter.kinds(); slices.Contains(kinds, event.RoomLost) {
			t.Errorf("reports %v", kinds)
		}
	})
}
