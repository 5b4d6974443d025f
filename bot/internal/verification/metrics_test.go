package verification

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"

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
		{"closed by the bot", func(ctx context.Context, bot *Bot, _ event.RoomOpened,
			_ *fakeRoom) {
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
				for _, outcome := range Outcomes() {
					want := 0.0
					if outcome == c.want {
						want = 1
					}
					if got := testutil.ToFloat64(bot.metrics.ended.WithLabelValues(string(outcome))); got != want {
						t.Errorf("%v rooms are counted as %s, want %v", got, outcome, want)
					}
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
		var measured dto.Metric
		if err := bot.metrics.timeToCode.Write(&measured); err != nil {
			t.Fatal(err)
		}
		if h := measured.GetHistogram(); h.GetSampleCount() != 1 || h.GetSampleSum() != 2 {
			t.Errorf("%d codes after %v s, want 1 after 2 s", h.GetSampleCount(), h.GetSampleSum())
		}
	})
}
