package natsapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/players/internal/natsapi"
)

const (
	ann   = "0198c2f4-0000-7000-8000-00000000000a"
	mapID = "0198c2f4-0000-7000-9000-000000000001"
)

func TestApplyCopies(t *testing.T) {
	t.Parallel()
	const onMap, onStats = "state.v1.map." + mapID, "state.v1.playerstats." + ann
	for _, tt := range []struct {
		name, subject, data string
		want                copies
		err                 error
	}{
		{
			"a map", onMap, `{"id":"` + mapID + `","version":3,"authorId":"` + ann + `"}`,
			copies{Maps: []event.MapState{{ID: mapID, Version: 3, AuthorID: ann}}}, nil,
		},
		{
			"a removed map", onMap, `{"id":"` + mapID + `","version":4,"removed":true}`,
			copies{Maps: []event.MapState{{ID: mapID, Version: 4, Removed: true}}}, nil,
		},
		{
			"a player's totals", onStats, `{"playerId":"` + ann + `","version":2,"records":7}`,
			copies{Stats: []event.PlayerStats{{PlayerID: ann, Version: 2, Records: 7}}}, nil,
		},
		{"a map without an author", onMap, `{"id":"` + mapID + `","version":1}`, copies{}, eventbus.ErrUndecodable},
		{"totals without a player", onStats, `{"version":1}`, copies{}, eventbus.ErrUndecodable},
		{"an unknown subject", "state.v1.mapstats." + mapID, `{}`, copies{}, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got copies
			err := natsapi.ApplyCopies(&got)(t.Context(), tt.subject, event.Envelope{ID: "1", Data: json.RawMessage(tt.data)})
			if !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			assert.Equal(t, "applied", tt.want, got)
		})
	}
}

// copies records what it was given.
type copies struct {
	Maps  []event.MapState
	Stats []event.PlayerStats
}

func (c *copies) ApplyMap(_ context.Context, m event.MapState) error {
	c.Maps = append(c.Maps, m)
	return nil
}

func (c *copies) ApplyStats(_ context.Context, s event.PlayerStats) error {
	c.Stats = append(c.Stats, s)
	return nil
}
