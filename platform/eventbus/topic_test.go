package eventbus

import "testing"

// Metrics have no label of a bot's name, of which there are ever more.
func TestTopic_omits_bots(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{
		"room.v1.bot.b-17.say":  "room.v1.bot.*.say",
		"room.v1.open":          "room.v1.open",
		"rpc.v1.players.ensure": "rpc.v1.players.ensure",
		"room.v1.bot.nothing":   "room.v1.bot.nothing",
	} {
		if got := topic(subject); got != want {
			t.Errorf("topic(%q) = %q, want %q", subject, got, want)
		}
	}
}
