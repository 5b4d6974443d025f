package eventbus

import "testing"

// A bot's name does not come into metrics: bots come and go.
func TestATopicNamesNoBot(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{
		"room.v1.bot.b-17.say":  "room.v1.bot.*.say",
		"room.v1.open":          "room.v1.open",
		"rpc.v1.players.ensure": "rpc.v1.players.ensure",
		"room.v1.bot.nothing":   "room.v1.bot.nothing",
	} {
		if got := topic(subject); got != want {
			t.Errorf("%s is of the topic %s, want %s", subject, got, want)
		}
	}
}
