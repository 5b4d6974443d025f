package eventbus_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

func TestApplyState(t *testing.T) {
	t.Parallel()
	const id = "0198c0de-0000-7000-8000-000000000001"
	errStore := errors.New("the database is unavailable")
	for _, tt := range []struct {
		name, subject, data string
		applyErr            error
		want                []event.MapStats
		err                 error
	}{
		{
			"valid, with an unknown field", "state.v1.mapstats." + id, `{"mapId":"` + id + `","version":3,"records":7,"new":1}`,
			nil, []event.MapStats{{MapID: id, Version: 3, Records: 7}}, nil,
		},
		{
			"apply fails", "state.v1.mapstats." + id, `{"mapId":"` + id + `","version":3}`,
			errStore, []event.MapStats{{MapID: id, Version: 3}}, errStore,
		},
		{"other type", "state.v1.mapstats." + id, `{"mapId":7}`, nil, nil, eventbus.ErrUndecodable},
		{"other entity", "state.v1.mapstats.0198c0de-0000-7000-8000-000000000002", `{"mapId":"` + id + `","version":3}`, nil,
			nil, eventbus.ErrUndecodable},
		{"invalid id", "state.v1.mapstats.m1", `{"mapId":"m1","version":3}`, nil, nil, eventbus.ErrUndecodable},
		{"no version", "state.v1.mapstats." + id, `{"mapId":"` + id + `"}`, nil, nil, eventbus.ErrUndecodable},
		{"unknown subject", "state.v1.player." + id, `{"mapId":"` + id + `","version":3}`, nil, nil, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []event.MapStats
			handle := eventbus.Route(map[string]eventbus.Handler{
				event.MapStatsPrefix: eventbus.ApplyState(func(_ context.Context, s event.MapStats) error {
					got = append(got, s)
					return tt.applyErr
				}),
			})
			err := handle(t.Context(), tt.subject, event.Envelope{ID: "1", Data: json.RawMessage(tt.data)})
			if !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
		})
	}
}
