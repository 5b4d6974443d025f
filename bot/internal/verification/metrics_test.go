package verification

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
)

func TestMetrics_rooms_ended(t *testing.T) {
	cases := []struct {
		name   string
		ending func(ctx context.Context, bot *Bot, opened event.RoomOpened, room *fakeRoom)
		want   Outcome
	}{
		{"closed on request", func(ctx context.Context, bot *Bot, opened event.RoomOpened, _ *fakeRoom) {
			_ = bot.Close(ctx, event.CloseRoom{Room: opened.Room})
		}, Closed},
		{"end of the lifetime", func(context.Context, *Bot, event.RoomOpened, *fakeRoom) { time.Sleep(time.Minute) },
			Expired},
		{"lost by the game", func(_ context.Context, _ *Bot, _ event.RoomOpened, room *fakeRoom) { room.lose("gone") },
			Lost},
		{"closed by the bot", func(ctx context.Context, bot *Bot, _ event.RoomOpened, _ *fakeRoom) {
			bot.CloseAll(ctx, "NATS")
		}, Abandoned},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bot, game, _ := setup(t, 1)
				opened := open(t, bot, "s1")
				c.ending(t.Context(), bot, opened, game.first())
				synctest.Wait()
				game.first().watcher.Lost("afterwards")
				closeRoom(t, bot, opened.Room, "")
				shutdown(t, bot)
				if diff := cmp.Diff([]Outcome{c.want}, metricsOf(bot).ended); diff != "" {
					t.Errorf("outcomes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestMetrics_time_to_code(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bot, game, _ := setup(t, 1)
		defer shutdown(t, bot)
		opened := open(t, bot, "s1")
		say := func(after time.Duration) {
			time.Sleep(after)
			if err := bot.Say(t.Context(), event.SayInRoom{Room: opened.Room, Text: "Hello."}); err != nil {
				t.Error(err)
			}
		}
		watcher := game.first().watcher
		say(time.Second) // without visitors
		guest := watcher.Joined(event.Visitor{Name: "cloudstep", Guest: true})
		say(time.Second) // to a guest
		watcher.Left(guest)
		watcher.Joined(event.Visitor{Name: "cloudstep"})
		say(2 * time.Second) // the code
		say(time.Second)     // something more
		if diff := cmp.Diff([]time.Duration{2 * time.Second}, metricsOf(bot).times); diff != "" {
			t.Errorf("times (-want +got):\n%s", diff)
		}
	})
}
