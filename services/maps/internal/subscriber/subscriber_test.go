package subscriber_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/maptest"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/subscriber"
)

func TestStatesAreTakenIn(t *testing.T) {
	t.Parallel()
	copies := maptest.NewMemory()
	handler := subscriber.Subscriber{Players: copies, Records: copies}
	for _, s := range []event.State{
		event.PlayerState{ID: maptest.PlayerID(1), Version: 2, Name: "Rain", SkinImageURL: "/media/skins/a.webp", SkinColor: "#8e24aa", Banned: true},
		event.PlayerState{ID: maptest.PlayerID(1), Version: 1, Name: "rain"},
		event.MapStats{MapID: maptest.MapID(1), Version: 4, Records: 7},
	} {
		if err := handler.Handle(t.Context(), s.Subject(), envelope(t, s)); err != nil {
			t.Fatal(err)
		}
	}
	want := parkourmap.Player{
		ID: maptest.PlayerID(1), Version: 2, Name: "Rain", SkinImageURL: "/media/skins/a.webp", SkinColor: "#8e24aa", Banned: true,
	}
	got, err := copies.Player(t.Context(), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("player (-want +got):\n%s", diff)
	}
	created, err := copies.Create(t.Context(), maptest.NewMap(1))
	if err != nil || created.Records != 7 {
		t.Errorf("records = %d, %v, want 7", created.Records, err)
	}
}

func TestWhatNoRepetitionMendsIsUndecodable(t *testing.T) {
	t.Parallel()
	memory := maptest.NewMemory()
	handler := subscriber.Subscriber{Players: memory, Records: memory}
	for name, message := range map[string]struct {
		subject string
		data    any
	}{
		"no player":         {event.PlayerStatePrefix + "x", 7},
		"a player of no id": {event.PlayerStatePrefix + "x", event.PlayerState{ID: "x", Version: 1}},
		"no count":          {event.MapStatsPrefix + "x", "seven"},
		"a count of no id":  {event.MapStatsPrefix + "x", event.MapStats{Version: 1}},
		"another subject":   {event.MapStatePrefix + "x", event.MapState{}},
	} {
		if err := handler.Handle(t.Context(), message.subject, envelope(t, message.data)); !errors.Is(err, eventbus.ErrUndecodable) {
			t.Errorf("%s returned %v", name, err)
		}
	}
}

func envelope(t *testing.T, payload any) event.Envelope {
	t.Helper()
	data, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return event.Envelope{ID: "1", Data: data}
}
