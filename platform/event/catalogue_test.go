package event_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// The page that describes the catalogue names everything in it.
func TestCatalogue_is_documented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(testdeps.Root(t), "docs/events.md"))
	require.NoError(t, err)
	text := strings.Join(strings.Fields(string(page)), " ")

	var want []string
	for _, s := range event.Streams() {
		want = append(want, fmt.Sprintf("| `%s` | `%s` |", s.Name, s.Subjects[0]))
	}
	for _, c := range event.Consumers() {
		want = append(want, fmt.Sprintf("- `%s` of `%s`: `%s`", c.Name, c.Stream, strings.Join(c.Subjects, "`, `")))
	}
	for _, s := range []event.State{
		event.PlayerState{ID: "<id>"}, event.MapState{ID: "<id>"}, event.MapStats{MapID: "<id>"},
		event.PlayerStats{PlayerID: "<id>"},
	} {
		want = append(want, fmt.Sprintf("- `%s`, `%s`", s.Subject(), payload(s)))
	}
	for _, f := range event.Facts() {
		want = append(want, fmt.Sprintf("- `%s`, `%s`", f.Subject(), payload(f)))
	}
	for _, c := range commands {
		want = append(want, fmt.Sprintf("- `%s`, `%s`", c.Subject(), payload(c)))
	}
	for subject, request := range map[string]any{
		event.EnsurePlayerSubject: event.EnsurePlayer{}, event.RegisterPlayerSubject: event.RegisterPlayer{},
		event.GetPlayerSubject: event.GetPlayer{}, event.GetMapSubject: event.GetMap{},
		event.FindFinishSubject: event.FindFinish{}, event.FindPlayedSubject: event.FindPlayed{},
		event.FindPassedSubject: event.FindPassed{}, event.ListPlayersSubject: event.ListPlayers{},
		event.ListFollowedSubject: event.ListFollowed{}, event.GetPointsSubject: event.GetPoints{},
		event.CountMedalsSubject:   event.CountMedals{},
		event.InspectRecordSubject: event.InspectRecord{},
		event.ExchangeTokenSubject: event.ExchangeToken{}, event.CheckSessionSubject: event.CheckSession{},
	} {
		want = append(want, fmt.Sprintf("- `%s`, `%s`", subject, payload(request)))
	}
	want = append(want, "`"+event.RoomEventSubject("<room>")+"`", "`"+event.RoomOpenSubject+"`")

	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("docs/events.md lacks %s", w)
		}
	}
}

var commands = []event.Command{
	event.RemoveRecord{}, event.RestoreRecord{}, event.HidePlayer{}, event.ShowPlayer{}, event.RemoveMap{},
	event.RestoreMap{}, event.UnrankMap{}, event.RankMap{}, event.BanPlayer{}, event.UnbanPlayer{}, event.MergePlayer{},
}

// A command says in JSON who decided, why, by which decision, and what for.
func TestCommand_JSON(t *testing.T) {
	t.Parallel()
	by := access.Attribution{
		Actor: access.Player("p1", "cloudstep", []string{access.Moderator}), Reason: "two accounts",
		PublicReason: access.AltAccount, DecisionID: "d1",
	}
	body, err := json.Marshal(event.MergePlayer{Attribution: by, PlayerID: "p2", IntoID: "p3"})
	require.NoError(t, err)
	const want = `{"actor":{"kind":"player","id":"p1","name":"cloudstep","roles":["moderator"]},"reason":"two accounts",` +
		`"publicReason":"alt_account","decisionId":"d1","playerId":"p2","intoId":"p3"}`
	assert.Equal(t, "command", want, string(body))
	for _, c := range commands {
		owner := strings.Split(c.Subject(), ".")[2]
		isOwners := func(consumer event.Consumer) bool { return consumer.Name == owner+"-commands" }
		if !slices.ContainsFunc(event.Consumers(), isOwners) {
			t.Errorf("%s has no consumer", c.Subject())
		}
	}
}

func payload(v any) string {
	return strings.TrimPrefix(fmt.Sprintf("%T", v), "event.")
}

// Every consumer reads subjects that its stream holds.
func TestConsumers_subjects_belong_to_the_stream(t *testing.T) {
	t.Parallel()
	prefixes := map[string]string{}
	for _, s := range event.Streams() {
		prefixes[s.Name] = strings.TrimSuffix(s.Subjects[0], ">")
	}
	for _, c := range event.Consumers() {
		for _, subject := range c.Subjects {
			if !strings.HasPrefix(subject, prefixes[c.Stream]) {
				t.Errorf("consumer %s reads %s, which is not in stream %s", c.Name, subject, c.Stream)
			}
		}
	}
}
