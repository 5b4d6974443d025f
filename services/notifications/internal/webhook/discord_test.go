package webhook

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/facttest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
)

const (
	mapID    = "0198c2f4-0000-7000-9000-000000000001"
	playerID = "0198c2f4-0000-7000-8000-00000000000a"
	recordID = "0198c2f4-0000-7000-a000-000000000001"
)

// names knows one player and one map.
type names struct{ player, mapName string }

func (n names) Player(_ context.Context, id string) (notification.Player, error) {
	if id != playerID {
		return notification.Player{}, notification.ErrPlayerUnknown
	}
	return notification.Player{Name: n.player}, nil
}

func (n names) Map(_ context.Context, id string) (notification.Map, error) {
	if id != mapID {
		return notification.Map{}, notification.ErrMapUnknown
	}
	return notification.Map{Name: n.mapName}, nil
}

func delivery(t *testing.T, kind string, data any) Delivery {
	t.Helper()
	d, err := newDelivery("d", kind, data, noon, noon)
	require.NoError(t, err)
	return d
}

// A map called so is shown with each of its characters, and links, pings and hides nothing.
func TestEmbeds_message_hostile_name(t *testing.T) {
	t.Parallel()
	rank, medal := int64(1), "gold"
	embeds := &Embeds{Names: names{"a_b_c @here", "](http://evil) @everyone ||x||"}, Site: "https://capzone.example"}
	got, err := embeds.message(t.Context(), []Delivery{delivery(t, "record", publicevent.RecordEvent{
		RecordID: recordID, MapID: mapID, PlayerID: playerID, FinishTime: 41_233, PersonalBest: true, WorldRecord: true,
		Rank: &rank, Medal: &medal,
	})})
	const want = `{"embeds":[{` +
		`"title":"World record on \\]\\(http\\:\\/\\/evil\\) \\@everyone \\|\\|x\\|\\|",` +
		`"url":"https://capzone.example/record/` + recordID + `","color":16765514,"timestamp":"2026-05-11T12:00:00.000Z",` +
		`"fields":[{"name":"Player","value":"a\\_b\\_c \\@here","inline":true},` +
		`{"name":"Time","value":"00:41.23","inline":true},{"name":"Rank","value":"1","inline":true}],` +
		`"image":{"url":"https://capzone.example/api/v1/records/` + recordID + `/preview.png"}}],` +
		`"allowed_mentions":{"parse":[]}}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// The copy of a player whose account was deleted may have the old name still.
func TestEmbeds_message_of_a_deleted_account(t *testing.T) {
	t.Parallel()
	embeds := &Embeds{Names: names{player: "cloudstep"}, Site: "https://capzone.example"}
	got, err := embeds.message(t.Context(), []Delivery{delivery(t, string(publicevent.KindPlayerDeleted),
		publicevent.PlayerDeletedEvent{PlayerID: playerID, Name: "deleted player 3f2a"})})
	if err != nil || !strings.Contains(string(got), `"title":"Account deleted: deleted player 3f2a"`) {
		t.Errorf("%s, %v", got, err)
	}
}

// Each public event has an embed with a title and a link, also where the names are not known.
func TestEmbeds_message_of_every_event(t *testing.T) {
	t.Parallel()
	embeds := &Embeds{Names: names{}, Site: "https://capzone.example"}
	for _, f := range event.Facts() {
		data, err := json.Marshal(facttest.Filled(t, f, ""))
		require.NoError(t, err)
		e, err := publicevent.Translate(f.Subject(), event.Envelope{ID: "e", At: noon, Data: data})
		require.NoError(t, err)
		if e == nil || e.Kind == publicevent.KindInbox || e.Kind == publicevent.KindPoints {
			continue // webhooks do not select them
		}
		made, err := embeds.embed(t.Context(), delivery(t, string(e.Kind), e.Data))
		if err != nil || !strings.HasPrefix(made.URL, "https://capzone.example/") || len(made.Title) < 10 {
			t.Errorf("%s: %+v, %v", e.Kind, made, err)
		}
	}
}

func TestEmbeds_message_limits(t *testing.T) {
	t.Parallel()
	embeds := &Embeds{Names: names{strings.Repeat("*", 100), strings.Repeat("_", 100)}, Site: "https://capzone.example"}
	var ten []Delivery
	for range MaxEmbeds {
		record := publicevent.RecordEvent{RecordID: recordID, MapID: mapID, PlayerID: playerID}
		ten = append(ten, delivery(t, "record", record))
	}
	body, err := embeds.message(t.Context(), ten)
	require.NoError(t, err)
	var m discordMessage
	require.NoError(t, json.Unmarshal(body, &m))
	characters := 0
	for _, e := range m.Embeds {
		characters += len([]rune(e.Title))
		if len([]rune(e.Title)) > 256 {
			t.Errorf("a title has %d characters", len([]rune(e.Title)))
		}
		for _, f := range e.Fields {
			characters += len([]rune(f.Name)) + len([]rune(f.Value))
		}
	}
	if len(m.Embeds) != MaxEmbeds || characters > 6000 {
		t.Errorf("%d embeds with %d characters", len(m.Embeds), characters)
	}
}

func TestEmbeds_message_test(t *testing.T) {
	t.Parallel()
	embeds := &Embeds{Site: "https://capzone.example"}
	got, err := embeds.message(t.Context(), []Delivery{delivery(t, TestType, struct{}{})})
	const want = `{"embeds":[{"title":"A test of this webhook","url":"https://capzone.example",` +
		`"timestamp":"2026-05-11T12:00:00.000Z"}],"allowed_mentions":{"parse":[]}}`
	if string(got) != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// A name that is written from right to left does not turn the words before it around.
func TestEmbeds_message_right_to_left_name(t *testing.T) {
	t.Parallel()
	embeds := &Embeds{Names: names{"Ann", "סקיי 7"}, Site: "https://capzone.example"}
	got, err := embeds.message(t.Context(), []Delivery{delivery(t, "record", publicevent.RecordEvent{
		RecordID: recordID, MapID: mapID, PlayerID: playerID, FinishTime: 41_233,
	})})
	if want := `"title":"Record on ` + "\u2068סקיי 7\u2069" + `"`; err != nil || !strings.Contains(string(got), want) {
		t.Errorf("%s, %v; want %s in it", got, err, want)
	}
}
