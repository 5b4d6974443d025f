package verification

import (
	"testing"
	"testing/synctest"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/event"
)

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
		assert.Equal(t, "times", []time.Duration{2 * time.Second}, metricsOf(bot).times)
	})
}
