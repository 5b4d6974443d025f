package e2e_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/receivertest"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
	"capzone.dev/game/racetime"
)

// discordEmbed is what the tests compare of an embed. The names are those of Discord.
type discordEmbed struct {
	Title  string
	URL    string
	Fields []struct{ Name, Value string }
	Image  struct{ URL string }
}

// A receiver with the answers of Discord gets the embed of a record that was just set, with its picture, although the
// first attempt is refused.
func TestWebhook_Discord(t *testing.T) {
	t.Parallel()
	if !own {
		t.Skip("E2E_SITE_URL: the site may send nothing to this machine")
	}
	m, entry, _ := submitted(t)
	awaitRecord(t, entry.ID)
	owner, player := newPlayer(t), newPlayer(t)
	discord := receivertest.New(t)
	discord.Answer(func(w http.ResponseWriter, _ *http.Request) {
		discord.Answer(receivertest.Status(http.StatusNoContent))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"message": "You are being rate limited.", "retry_after": 0.2, "global": false}`))
	})
	posted[struct{}](t, owner, "/webhooks", map[string]any{
		"url": discord.URL + "/api/webhooks/1/secret", "format": "discord", "description": "our channel",
		"filter": map[string]any{"types": []string{"record"}, "player": player.Player.ID},
	})
	record := finished(t, player, m, 39_000).Record
	got := discord.Await(t, 2)[1]
	var message struct {
		Embeds          []discordEmbed
		AllowedMentions struct{ Parse []string } `json:"allowed_mentions"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &message))
	if got.Path != "/api/webhooks/1/secret" || len(message.Embeds) != 1 || message.AllowedMentions.Parse == nil {
		t.Fatalf("%s got %s", got.Path, got.Body)
	}
	embed := message.Embeds[0]
	embed.Title = strings.ReplaceAll(embed.Title, `\`, "") // punctuation of a name is escaped
	want := discordEmbed{
		Title: "World record on " + entry.Name, URL: capzone.Address() + "/record/" + record.ID,
		Fields: []struct{ Name, Value string }{
			{"Player", player.Player.Name}, {"Time", racetime.Format(39_000)}, {"Rank", "1"},
		},
	}
	want.Image.URL = capzone.Address() + "/api/v1/records/" + record.ID + "/preview.png"
	assert.Equal(t, "embed", want, embed)
	path, found := strings.CutPrefix(embed.Image.URL, capzone.Address())
	if !found {
		t.Fatalf("the picture is at %s", embed.Image.URL)
	}
	answer := ask(t, newVisitor(), site.Request{Path: path, AtRoot: true})
	picture, err := png.DecodeConfig(bytes.NewReader(answer.Body))
	if err != nil || picture.Width != 1200 || picture.Height != 630 {
		t.Errorf("the picture: %d, %+v, %v", answer.Status, picture, err)
	}
}
