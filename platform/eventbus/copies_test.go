package eventbus_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

const (
	ann      = "0198c2f4-0000-7000-8000-00000000000a"
	mapID    = "0198c2f4-0000-7000-9000-000000000001"
	recordID = "0198c2f4-0000-7000-a000-000000000001"
)

func TestApplyCopies(t *testing.T) {
	t.Parallel()
	const onMap, onPlayer = "state.v1.map." + mapID, "state.v1.player." + ann
	for _, tt := range []struct {
		name, subject, data string
		want                copies
		err                 error
	}{
		{
			"a map", onMap,
			`{"id":"` + mapID + `","version":3,"name":"Skyline","bonkDbId":7,"authorId":"` + ann + `","superseded":true}`,
			copies{Maps: []event.MapState{
				{ID: mapID, Version: 3, Name: "Skyline", GameMapID: 7, AuthorID: ann, Superseded: true},
			}}, nil,
		},
		{
			"a removed map", onMap, `{"id":"` + mapID + `","version":4,"removed":true}`,
			copies{Maps: []event.MapState{{ID: mapID, Version: 4, Removed: true}}}, nil,
		},
		{
			"a player", onPlayer, `{"id":"` + ann + `","version":2,"name":"Ann","registered":true,"banned":true}`,
			copies{Players: []event.PlayerState{{ID: ann, Version: 2, Name: "Ann", Registered: true, Banned: true}}}, nil,
		},
		{"not a map", onMap, `[]`, copies{}, eventbus.ErrUndecodable},
		{"a map without a version", onMap, `{"id":"` + mapID + `"}`, copies{}, eventbus.ErrUndecodable},
		{
			"a map on the subject of another", "state.v1.map." + recordID, `{"id":"` + mapID + `","version":1}`,
			copies{}, eventbus.ErrUndecodable,
		},
		{"an unknown subject", "state.v1.mapstats." + mapID, `{}`, copies{}, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got copies
			err := eventbus.ApplyCopies(&got)(t.Context(), tt.subject, event.Envelope{ID: "1", Data: json.RawMessage(tt.data)})
			if !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			require.Equal(t, "applied", tt.want, got)
		})
	}
}

// copies records what it was given.
type copies struct {
	Maps    []event.MapState
	Players []event.PlayerState
}

func (c *copies) ApplyMap(_ context.Context, m event.MapState) error {
	c.Maps = append(c.Maps, m)
	return nil
}

func (c *copies) ApplyPlayer(_ context.Context, p event.PlayerState) error {
	c.Players = append(c.Players, p)
	return nil
}
