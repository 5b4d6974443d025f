package verification

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
)

// gauge is a Meter that remembers.
type gauge struct {
	outcomes []Outcome
	waited   []time.Duration
}

func (g *gauge) Ended(o Outcome)           { g.outcomes = append(g.outcomes, o) }
func (g *gauge) Told(waited time.Duration) { g.waited = append(g.waited, waited) }

func TestOutcomesAreCountedOnce(t *testing.T) {
	cases := []struct {
		name   string
		ending func(ctx context.Context, bot *Bot, opened event.RoomOpened, room *playedRoom)
		want   Outcome
	}{
		{"closed on request", func(ctx context.Context, bot *Bot, opened event.RoomOpened, _ *playedRoom) {
			_ = bot.Close(ctx, event.CloseRoom{Room: opened.Room})
		}, Closed},
		{"at the end of its life", func(context.Context, *Bot, event.RoomOpened, *playedRoom) { time.Sleep(time.Minute) }, Expired},
		{"lost by the game", func(_ context.Context, _ *Bot, _ event.RoomOpened, room *playedRoom) { room.watcher.Lost("gone") }, Lost},
		{"given up by the bot", func(ctx context.Context, bot *Bot, _ event.RoomOpened, _ *playedRoom) { bot.Abandon(ctx, "NATS") }, Abandoned},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				game, measured := &playedGame{}, &gauge{}
				bot := NewBot(1, game, &notebook{}, measured, slog.New(slog.DiscardHandler))
				opened := open(t, bot, "s1")
				c.ending(t.Context(), bot, opened, game.rooms[0])
				synctest.Wait()
				game.rooms[0].watcher.Lost("afterwards")
				closeRoom(t, bot, opened.Room, "")
				bot.Shutdown(t.Context())
				if diff := cmp.Diff([]Outcome{c.want}, measured.outcomes); diff != "" {
					t.Errorf("outcomes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestTheTimeToTheCodeIsThePlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game, measured := &playedGame{}, &gauge{}
		bot := NewBot(1, game, &notebook{}, measured, slog.New(slog.DiscardHandler))
		defer bot.Shutdown(t.Context())
		opened := open(t, bot, "s1")
		say := func(after time.Duration) {
			time.Sleep(after)
			if err := bot.Say(t.Context(), event.SayInRoom{Room: opened.Room, Text: "Hello."}); err != nil {
				t.Error(err)
			}
		}
		watcher := game.rooms[0].watcher
		say(time.Second) // to nobody
		guest := watcher.Joined(event.Visitor{Name: "cloudstep", Guest: true})
		say(time.Second) // to a guest
		watcher.Left(guest)
		watcher.Joined(event.Visitor{Name: "cloudstep"})
		say(2 * time.Second) // the code
		say(time.Second)     // something more
		if diff := cmp.Diff([]time.Duration{2 * time.Second}, measured.waited); diff != "" {
			t.Errorf("waited (-want +got):\n%s", diff)
		}
	})
}

func TestABotRestsWhileTheGameGivesNoRooms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game, measured := &playedGame{refuses: RetryLaterError{For: time.Minute, Cause: errors.New("rate limited")}}, &gauge{}
		bot := NewBot(2, game, &notebook{}, measured, slog.New(slog.DiscardHandler))
		defer bot.Shutdown(t.Context())
		ask := func() error {
			_, err := bot.Open(t.Context(), event.OpenRoom{Session: "s1", Lifetime: 60_000})
			return err
		}
		if err := ask(); !errors.Is(err, ErrBackingOff) {
			t.Errorf("got %v, want %v", err, ErrBackingOff)
		}
		game.refuses = nil
		if err := ask(); !errors.Is(err, ErrBackingOff) || bot.Free() != 0 {
			t.Errorf("asked again too soon: %v, %d free", err, bot.Free())
		}
		if len(game.rooms) != 0 {
			t.Error("the game was asked while the bot rests")
		}
		<-bot.Changed()
		time.Sleep(time.Minute)
		<-bot.Changed() // it is back
		if err := ask(); err != nil || bot.Free() != 1 {
			t.Errorf("after the rest: %v, %d free", err, bot.Free())
		}
		if diff := cmp.Diff([]Outcome{Refused}, measured.outcomes); diff != "" {
			t.Errorf("outcomes (-want +got):\n%s", diff)
		}
	})
}
