package natsapi_test

import (
	"encoding/json"
	"errors"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/natsapi"
	"capzone.dev/services/maps/internal/parkourmaptest"
	"capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/migrations"
)

func TestApplyCopies(t *testing.T) {
	t.Parallel()
	store := postgres.NewStore(pgtest.Open(t, "maps", migrations.FS))
	apply := natsapi.ApplyCopies(store)
	rain := event.PlayerState{
		ID: parkourmaptest.PlayerID(1), Version: 2, Name: "Rain",
		SkinImageURL: "/media/skins/a.webp", SkinColor: "#8e24aa", Roles: []string{"validator"},
		Banned: true, Ban: &event.Ban{},
	}
	for _, s := range []event.State{
		rain,
		event.PlayerState{ID: rain.ID, Version: 1, Name: "rain"},
		event.MapStats{MapID: parkourmaptest.MapID(1), Version: 4, Records: 7},
	} {
		require.NoError(t, apply(t.Context(), s.Subject(), envelope(t, s)))
	}
	got, err := store.Player(t.Context(), rain.ID)
	require.NoError(t, err)
	assert.Equal(t, "player", rain, got)
	_, err = store.Submit(t.Context(), parkourmaptest.NewMap(1))
	require.NoError(t, err)
	created, err := store.Entry(t.Context(), parkourmaptest.MapID(1))
	if err != nil || created.Records != 7 {
		t.Errorf("records = %d, %v, want 7", created.Records, err)
	}
}

func TestApplyCopies_invalid_payload(t *testing.T) {
	t.Parallel()
	apply := natsapi.ApplyCopies((*postgres.Store)(nil)) // nothing is stored
	for name, message := range map[string]struct {
		subject string
		data    any
	}{
		"no player":                   {event.PlayerStatePrefix + "x", 7},
		"a player without an id":      {event.PlayerStatePrefix + "x", event.PlayerState{ID: "x", Version: 1}},
		"no count":                    {event.MapStatsPrefix + "x", "seven"},
		"a count of a map without id": {event.MapStatsPrefix + "x", event.MapStats{Version: 1}},
		"an event of another subject": {event.MapStatePrefix + "x", event.MapState{}},
	} {
		if err := apply(t.Context(), message.subject, envelope(t, message.data)); !errors.Is(err,
			eventbus.ErrUndecodable) {
			t.Errorf("%s: the handler returned %v, want ErrUndecodable", name, err)
		}
	}
}

func envelope(t *testing.T, payload any) event.Envelope {
	t.Helper()
	data, err := json.Marshal(payload)
	require.NoError(t, err)
	return event.Envelope{ID: "1", Data: data}
}
