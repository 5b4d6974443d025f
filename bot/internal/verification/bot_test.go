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

// setup returns a bot with so many places, in rooms that the test plays.
func setup(t *testing.T, capacity int) (*Bot, *playedGame, *notebook) {
	t.Helper()
	return setupWith(t, Config{Capacity: capacity}, NoMetrics{})
}

// setupWith returns a bot with a configuration, whose times are those of the defaults where they are zero.
func setupWith(t *testing.T, cfg Config, metrics Metrics) (*Bot, *playedGame, *notebook) {
	t.Helper()
	game, notes := &playedGame{}, &notebook{}
	cfg.LineTimeout, cfg.UnusedAfter = cmp.Or(cfg.LineTimeout, 70*time.Second), cmp.Or(cfg.UnusedAfter, time.Minute)
	return NewBot(cfg, game, notes, metrics, slog.New(slog.DiscardHandler)), game, notes
}

func TestBot_Open_of_the_same_session(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, _ := setup(t, 2)
		defer shutdown(t, bot)
		first := open(t, bot, "s1")
		again := open(t, bot, "s1")
		other := open(t, bot, "s2")
		if first != again {
			t.Errorf("asked twice: %+v, then %+v", first, again)
		}
		if first.Room == other.Room || first.Link == other.Link {
			t.Errorf("two sessions share a room: %+v and %+v", first, other)
		}
		if first.Bot != bot.ID() {
			t.Errorf("bot %q answered as %q", bot.ID(), first.Bot)
		}
		if game.count() != 2 {
			t.Errorf("%d rooms opened, want 2", len(game.rooms))
		}
	})
}

func TestBot_Open_of_the_same_session_at_once(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, _ := setup(t, 1)
		defer shutdown(t, bot)
		game.slow = time.Second
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

func TestBot_Open_refuses(t *testing.T) {
	minute := time.Minute.Milliseconds()
	long := make([]byte, maxSession+1)
	cases := []struct {
		name string
		req  event.OpenRoom
		want error
	}{
		{"no session", event.OpenRoom{Lifetime: minute}, ErrOpenRefused},
		{"an overlong session", event.OpenRoom{Session: string(long), Lifetime: minute}, ErrOpenRefused},
		{"no lifetime", event.OpenRoom{Session: "s9"}, ErrOpenRefused},
		{"a lifetime below zero", event.OpenRoom{Session: "s9", Lifetime: -minute}, ErrOpenRefused},
		{"a lifetime of two hours", event.OpenRoom{Session: "s9", Lifetime: 120 * minute}, ErrOpenRefused},
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

func TestBot_Free(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, _, _ := setup(t, 2)
		defer shutdown(t, bot)
		for _, step := range []struct {
			name string
			do   func()
			free int
		}{
			{"at the start all are free", func() {}, 2},
			{"a room takes one", func() { open(t, bot, "s1") }, 1},
			{"the same session takes none", func() { open(t, bot, "s1") }, 1},
			{"another takes another", func() { open(t, bot, "s2") }, 0},
			{"closing gives one back", func() { closeRoom(t, bot, open(t, bot, "s1").Room, "") }, 1},
			{"the end of life gives one back", func() { time.Sleep(time.Minute) }, 2},
			{"a bot that stops has none", func() { shutdown(t, bot) }, 0},
		} {
			step.do()
			synctest.Wait()
			if got := bot.Free(); got != step.free {
				t.Errorf("%s: %d free, want %d", step.name, got, step.free)
			}
		}
	})
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
		name string
		text string
		in   func(opened event.RoomOpened, bot *Bot) string
		want error
		said []string
	}{
		{"a text is said", "Your code is 042917.", theRoom, nil, []string{"Your code is 042917."}},
		{"a text of 500 characters is said", string(long[:maxText]), theRoom, nil, []string{string(long[:maxText])}},
		{"nothing is not said", "  ", theRoom, ErrSayRefused, nil},
		{"too long a text is not said", string(long), theRoom, ErrSayRefused, nil},
		{"nothing is said in an unknown room", "Hello", unknownRoom, ErrRoomUnknown, nil},
		{"nothing is said in a closed room", "Hello", closedRoom, ErrRoomUnknown, nil},
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
				if diff := gocmp.Diff(c.said, game.rooms[0].said); diff != "" {
					t.Errorf("said (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestBot_Close(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, notes := setup(t, 1)
		opened := open(t, bot, "s1")
		game.first().watcher.Joined(event.Visitor{Name: "cloudstep"})
		closeRoom(t, bot, opened.Room, "Welcome aboard.")
		closeRoom(t, bot, opened.Room, "Once more.")
		closeRoom(t, bot, "unknown", "")
		shutdown(t, bot)
		if diff := gocmp.Diff([]string{"Welcome aboard."}, game.rooms[0].said); diff != "" {
			t.Errorf("said (-want +got):\n%s", diff)
		}
		if game.rooms[0].closed != 1 {
			t.Errorf("the game's room was closed %d times", game.rooms[0].closed)
		}
		if diff := gocmp.Diff([]event.RoomReportKind{event.RoomJoined, event.RoomClosed}, notes.kinds()); diff != "" {
			t.Errorf("reports (-want +got):\n%s", diff)
		}
	})
}

func TestBot_ends_a_room(t *testing.T) {
	cases := []struct {
		name   string
		ending func(bot *Bot, room *playedRoom)
		kind   event.RoomReportKind
		closed int // how often the game's side is closed
	}{
		{"at the end of its lifetime", func(*Bot, *playedRoom) { time.Sleep(time.Minute) }, event.RoomClosed, 1},
		{"when the game loses it", func(_ *Bot, room *playedRoom) { room.lose("the host is gone") }, event.RoomLost, 0},
		{"when the game takes it", func(_ *Bot, room *playedRoom) { room.take("another host") }, event.RoomTaken, 0},
		{"when the bot gives up", func(bot *Bot, _ *playedRoom) { bot.CloseAll(context.Background(), "NATS is away") },
			event.RoomLost, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bot, game, notes := setup(t, 1)
				opened := open(t, bot, "s1")
				c.ending(bot, game.first())
				synctest.Wait()
				if state(t, bot, opened.Room).Open {
					t.Error("the room is open")
				}
				if visit := game.first().watcher.Joined(event.Visitor{Name: "late"}); visit != 0 {
					t.Error("somebody was let in afterwards")
				}
				if game.rooms[0].closed != c.closed {
					t.Errorf("the game's room was closed %d times, want %d", game.rooms[0].closed, c.closed)
				}
				if bot.Held() != 0 {
					t.Error("the place is not free again")
				}
				shutdown(t, bot)
				if diff := gocmp.Diff([]event.RoomReportKind{c.kind}, notes.kinds()); diff != "" {
					t.Errorf("reports (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestReports_are_sent_in_order_until_they_are_stored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, notes := setup(t, 1)
		notes.away = true
		opened := open(t, bot, "s1")
		watcher := game.first().watcher
		watcher.Left(watcher.Joined(event.Visitor{Name: "cloudstep"}))
		time.Sleep(20 * time.Second)
		if got := notes.kinds(); len(got) != 0 {
			t.Fatalf("kept while away: %v", got)
		}
		notes.comeBack()
		time.Sleep(lastRetry)
		closeRoom(t, bot, opened.Room, "")
		shutdown(t, bot)

		want := []event.RoomReportKind{event.RoomJoined, event.RoomLeft, event.RoomClosed}
		if diff := gocmp.Diff(want, notes.kinds()); diff != "" {
			t.Errorf("reports (-want +got):\n%s", diff)
		}
		for i, r := range notes.kept {
			if r.Number != int64(i)+1 {
				t.Errorf("report %d has number %d", i+1, r.Number)
			}
		}
	})
}

func TestReports_are_given_up_when_the_room_is_long_over(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, _, notes := setup(t, 1)
		notes.away = true
		open(t, bot, "s1")
		time.Sleep(time.Minute + reportGrace)
		synctest.Wait()
		notes.comeBack()
		shutdown(t, bot) // returns, because nothing is left to send
		if got := notes.kinds(); len(got) != 0 {
			t.Errorf("kept: %v", got)
		}
	})
}

func TestBot_Shutdown_ends_with_its_context(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, _, notes := setup(t, 1)
		notes.away = true
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
