package eventbus_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"capzone.dev/devstack/assert"
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
			assert.Equal(t, "applied", tt.want, got)
		})
	}
}

// A fact has the handler of its very subject, a state that of its prefix.
func TestRoute(t *testing.T) {
	t.Parallel()
	var got string
	handler := func(name string) eventbus.Handler {
		return func(context.Context, string, event.Envelope) error {
			got = name
			return nil
		}
	}
	handle := eventbus.Route(map[string]eventbus.Handler{
		"facts.v1.map.rank": handler("rank"), "facts.v1.map.ranked": handler("ranked"), "state.v1.map.": handler("state"),
	})
	for subject, want := range map[string]string{
		"facts.v1.map.rank": "rank", "facts.v1.map.ranked": "ranked", "state.v1.map.m1": "state",
		"facts.v1.map.rankedly": "", "state.v1.map": "", "state.v1.map.stats.m1": "", "": "",
	} {
		got = ""
		if err := handle(t.Context(), subject, event.Envelope{}); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: handled by %q, %v", subject, got, err)
		}
	}
}
