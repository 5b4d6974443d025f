package verification

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
)

// gauge is a Metrics that remembers.
type gauge struct {
	mu       sync.Mutex
	outcomes []Outcome
	waited   []time.Duration
	failed   []string // steps of checks
}

func (g *gauge) RoomEnded(o Outcome) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.outcomes = append(g.outcomes, o)
}

func (g *gauge) CodeSaid(responseTime time.Duration) { g.waited = append(g.waited, responseTime) }

func (g *gauge) Checked(failedStep string) { g.failed = append(g.failed, failedStep) }

func TestMetrics_RoomEnded(t *testing.T) {
	cases := []struct {
		name   string
		ending func(ctx context.Context, bot *Bot, opened event.RoomOpened, room *playedRoom)
		want   Outcome
	}{
		{"closed on request", func(ctx context.Context, bot *Bot, opened event.RoomOpened, _ *playedRoom) {
			_ = bot.Close(ctx, event.CloseRoom{Room: opened.Room})
		}, Closed},
		{"at the end of its life", func(context.Context, *Bot, event.RoomOpened, *playedRoom) { time.Sleep(time.Minute) },
			Expired},
		{"lost by the game", func(_ context.Context, _ *Bot, _ event.RoomOpened, room *playedRoom) { room.lose("gone") },
			Lost},
		{"given up by the bot", func(ctx context.Context, bot *Bot, _ event.RoomOpened,
			_ *playedRoom) {
			bot.CloseAll(ctx, "NATS")
		}, Abandoned},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				measured := &gauge{}
				bot, game, _ := setupWith(t, Config{Capacity: 1}, measured)
				opened := open(t, bot, "s1")
				c.ending(t.Context(), bot, opened, game.first())
				synctest.Wait()
				game.first().watcher.Lost("afterwards")
				closeRoom(t, bot, opened.Room, "")
				shutdown(t, bot)
				if diff := cmp.Diff([]Outcome{c.want}, measured.outcomes); diff != "" {
					t.Errorf("outcomes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestMetrics_CodeSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		measured := &gauge{}
		bot, game, _ := setupWith(t, Config{Capacity: 1}, measured)
		defer shutdown(t, bot)
		opened := open(t, bot, "s1")
		say := func(after time.Duration) {
			time.Sleep(after)
			if err := bot.Say(t.Context(), event.SayInRoom{Room: opened.Room, Text: "Hello."}); err != nil {
				t.Error(err)
			}
		}
		watcher := game.first().watcher
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
