package verification

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
)

// setup returns a bot that holds at most capacity rooms of a fake game.
func setup(t *testing.T, capacity int) (*Bot, *fakeGame, *fakeReporter) {
	t.Helper()
	return setupWith(t, Config{Capacity: capacity})
}

// setupWith returns a bot. Times of the configuration that are zero are the defaults.
func setupWith(t *testing.T, cfg Config) (*Bot, *fakeGame, *fakeReporter) {
	t.Helper()
	game, reporter := &fakeGame{}, &fakeReporter{}
	cfg.QueueTimeout, cfg.UnusedAfter = cmp.Or(cfg.QueueTimeout, 70*time.Second), cmp.Or(cfg.UnusedAfter, time.Minute)
	return NewBot(cfg, game, reporter, &fakeMetrics{}, slog.New(slog.DiscardHandler)), game, reporter
}

func TestBot_Open_of_the_same_session_at_once(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, _ := setup(t, 1)
		defer shutdown(t, bot)
		game.delay = time.Second
		var group sync.WaitGroup
		var answers [3]event.RoomOpened
		for i := range answers {
			group.Go(func() { answers[i] = open(t, bot, "s1") })
		}
		group.Wait()
		if answers[0] != answers[1] || answers[1] != answers[2] {
			t.Errorf("answers differ: %+v", answers)
		}
		if game.count() != 1 {
			t.Errorf("%d rooms opened, want 1", len(game.rooms))
		}
	})
}

func TestBot_Open_invalid_request(t *testing.T) {
	minute := time.Minute.Milliseconds()
	long := make([]byte, maxSession+1)
	cases := []struct {
		name string
		req  event.OpenRoom
		want error
	}{
		{"no session", event.OpenRoom{Lifetime: minute}, ErrInvalidRequest},
		{"an overlong session", event.OpenRoom{Session: string(long), Lifetime: minute}, ErrInvalidRequest},
		{"no lifetime", event.OpenRoom{Session: "s9"}, ErrInvalidRequest},
		{"a lifetime below zero", event.OpenRoom{Session: "s9", Lifetime: -minute}, ErrInvalidRequest},
		{"a lifetime of two hours", event.OpenRoom{Session: "s9", Lifetime: 120 * minute}, ErrInvalidRequest},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bot, _, _ := setup(t, 1)
				defer shutdown(t, bot)
				open(t, bot, "s1")
				if _, err := bot.Open(t.Context(), c.req); !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
			})
		})
	}
}

func TestBot_State(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, _ := setup(t, 1)
		defer shutdown(t, bot)
		opened := open(t, bot, "s1")
		watcher := game.first().watcher
		visit := watcher.Joined(event.Visitor{Name: "cloudstep", Level: 57})
		watcher.Joined(event.Visitor{Name: "mossfoot", Guest: true})
		watcher.Left(visit)

		cloudstep := event.Visitor{Visit: 1, Name: "cloudstep", Level: 57}
		mossfoot := event.Visitor{Visit: 2, Name: "mossfoot", Guest: true}
		want := event.RoomView{
			Room: opened.Room, Open: true, Link: opened.Link, LastReport: 3,
			Present: []event.Visitor{mossfoot}, Seen: []event.Visitor{cloudstep, mossfoot},
		}
		if diff := gocmp.Diff(want, state(t, bot, opened.Room)); diff != "" {
			t.Errorf("open room (-want +got):\n%s", diff)
		}

		closeRoom(t, bot, opened.Room, "")
		want.Open, want.Link, want.LastReport, want.Present = false, "", 4, []event.Visitor{}
		if diff := gocmp.Diff(want, state(t, bot, opened.Room)); diff != "" {
			t.Errorf("closed room (-want +got):\n%s", diff)
		}

		time.Sleep(time.Minute + reportGrace)
		synctest.Wait()
		forgotten := event.RoomView{Room: opened.Room, Present: []event.Visitor{}, Seen: []event.Visitor{}}
		if diff := gocmp.Diff(forgotten, state(t, bot, opened.Room)); diff != "" {
			t.Errorf("forgotten room (-want +got):\n%s", diff)
		}
	})
}

func TestBot_Say(t *testing.T) {
	long := make([]rune, maxText+1)
	for i := range long {
		long[i] = 'é'
	}
	cases := []struct {
		name  string
		text  string
		in    func(opened event.RoomOpened, bot *Bot) string
		want  error
		texts []string
	}{
		{"text", "Your code is 042917.", theRoom, nil, []string{"Your code is 042917."}},
		{"text of 500 characters", string(long[:maxText]), theRoom, nil, []string{string(long[:maxText])}},
		{"blank text", "  ", theRoom, ErrInvalidText, nil},
		{"text of 501 characters", string(long), theRoom, ErrInvalidText, nil},
		{"unknown room", "Hello", unknownRoom, ErrRoomUnknown, nil},
		{"closed room", "Hello", closedRoom, ErrRoomUnknown, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bot, game, _ := setup(t, 1)
				defer shutdown(t, bot)
				room := c.in(open(t, bot, "s1"), bot)
				if err := bot.Say(t.Context(), event.SayInRoom{Room: room, Text: c.text}); !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
				if diff := gocmp.Diff(c.texts, game.rooms[0].texts); diff != "" {
					t.Errorf("texts (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestBot_Close(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, reporter := setup(t, 1)
		opened := open(t, bot, "s1")
		game.first().watcher.Joined(event.Visitor{Name: "cloudstep"})
		closeRoom(t, bot, opened.Room, "Welcome aboard.")
		closeRoom(t, bot, opened.Room, "Once more.")
		closeRoom(t, bot, "unknown", "")
		shutdown(t, bot)
		if diff := gocmp.Diff([]string{"Welcome aboard."}, game.rooms[0].texts); diff != "" {
			t.Errorf("texts (-want +got):\n%s", diff)
		}
		if game.rooms[0].closed != 1 {
			t.Errorf("the game's room was closed %d times", game.rooms[0].closed)
		}
		if diff := gocmp.Diff([]event.RoomReportKind{event.RoomJoined, event.RoomClosed},
			reporter.kinds()); diff != "" {
			t.Errorf("reports (-want +got):\n%s", diff)
		}
	})
}

func TestBot_end_of_a_room(t *testing.T) {
	cases := []struct {
		name    string
		ending  func(bot *Bot, room *fakeRoom)
		kind    event.RoomReportKind
		outcome Outcome
		closed  int // how often the game's side is closed
	}{
		{"closed on request", func(bot *Bot, r *fakeRoom) {
			_ = bot.Close(context.Background(), event.CloseRoom{Room: r.watcher.(*room).id})
		}, event.RoomClosed, Closed, 1},
		{"end of the lifetime", func(*Bot, *fakeRoom) { time.Sleep(time.Minute) }, event.RoomClosed, Expired, 1},
		{"lost by the game", func(_ *Bot, room *fakeRoom) { room.lose("the host is gone") }, event.RoomLost, Lost, 0},
		{"another host", func(_ *Bot, room *fakeRoom) { room.changeHost("another host") }, event.RoomTaken, Lost, 0},
		{"closed by the bot", func(bot *Bot, _ *fakeRoom) { bot.CloseAll(context.Background(), "without NATS") },
			event.RoomLost, Abandoned, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bot, game, reporter := setup(t, 1)
				opened := open(t, bot, "s1")
				c.ending(bot, game.first())
				synctest.Wait()
				if state(t, bot, opened.Room).Open {
					t.Error("the room is open")
				}
				if visit := game.first().watcher.Joined(event.Visitor{Name: "late"}); visit != 0 {
					t.Error("a visitor entered the room that has ended")
				}
				if game.rooms[0].closed != c.closed {
					t.Errorf("the game's room was closed %d times, want %d", game.rooms[0].closed, c.closed)
				}
				if stats := bot.Stats(); stats.InUse != 0 || stats.Free != 1 {
					t.Errorf("the room still counts: %+v", stats)
				}
				game.first().watcher.Lost("afterwards")
				shutdown(t, bot)
				if diff := gocmp.Diff([]Outcome{c.outcome}, metricsOf(bot).ended); diff != "" {
					t.Errorf("outcomes (-want +got):\n%s", diff)
				}
				if diff := gocmp.Diff([]event.RoomReportKind{c.kind}, reporter.kinds()); diff != "" {
					t.Errorf("reports (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestRoom_reports_are_sent_in_order(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, reporter := setup(t, 1)
		reporter.unavailable = true
		opened := open(t, bot, "s1")
		watcher := game.first().watcher
		watcher.Left(watcher.Joined(event.Visitor{Name: "cloudstep"}))
		time.Sleep(20 * time.Second)
		if got := reporter.kinds(); len(got) != 0 {
			t.Fatalf("stored by an unavailable reporter: %v", got)
		}
		reporter.recover()
		time.Sleep(lastRetry)
		closeRoom(t, bot, opened.Room, "")
		shutdown(t, bot)

		want := []event.RoomReportKind{event.RoomJoined, event.RoomLeft, event.RoomClosed}
		if diff := gocmp.Diff(want, reporter.kinds()); diff != "" {
			t.Errorf("reports (-want +got):\n%s", diff)
		}
		for i, r := range reporter.stored {
			if r.Number != int64(i)+1 {
				t.Errorf("report %d has number %d", i+1, r.Number)
			}
		}
	})
}

func TestBot_Shutdown_ends_with_its_context(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, _, reporter := setup(t, 1)
		reporter.unavailable = true
		open(t, bot, "s1")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		bot.Shutdown(ctx)
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func theRoom(opened event.RoomOpened, _ *Bot) string { return opened.Room }

func unknownRoom(event.RoomOpened, *Bot) string { return "unknown" }

func closedRoom(opened event.RoomOpened, bot *Bot) string {
	_ = bot.Close(context.Background(), event.CloseRoom{Room: opened.Room})
	return opened.Room
}

func open(t *testing.T, bot *Bot, session string) event.RoomOpened {
	t.Helper()
	opened, err := bot.Open(t.Context(), event.OpenRoom{Session: session, Lifetime: time.Minute.Milliseconds()})
	if err != nil {
		t.Errorf("open for %s: %v", session, err)
	}
	return opened
}

func closeRoom(t *testing.T, bot *Bot, room, text string) {
	t.Helper()
	if err := bot.Close(t.Context(), event.CloseRoom{Room: room, Text: text}); err != nil {
		t.Errorf("close %s: %v", room, err)
	}
}

func state(t *testing.T, bot *Bot, room string) event.RoomView {
	t.Helper()
	view, err := bot.State(t.Context(), event.RoomQuery{Room: room})
	if err != nil {
		t.Errorf("state of %s: %v", room, err)
	}
	return view
}

func shutdown(t *testing.T, bot *Bot) {
	t.Helper()
	bot.Shutdown(t.Context())
	bot.Wait()
}

func TestRoom_reports_are_given_up(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, _, reporter := setup(t, 1)
		reporter.unavailable = true
		open(t, bot, "s1")
		time.Sleep(time.Minute + reportGrace)
		synctest.Wait()
		reporter.recover()
		shutdown(t, bot) // returns because no report is pending
		if got := reporter.kinds(); len(got) != 0 {
			t.Errorf("stored: %v", got)
		}
	})
}
