package subscriber_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/players/internal/subscriber"
)

func TestHandle(t *testing.T) {
	t.Parallel()
	errAway := errors.New("the database is away")
	for _, tt := range []struct {
		name, subject, data string
		fail                error
		want                copies
		err                 error
	}{
		{"a map's state is taken in", "state.v1.map.m1", `{"id":"m1","version":3,"authorId":"p1","news":true}`, nil,
			copies{Maps: []event.MapState{{ID: "m1", Version: 3, AuthorID: "p1"}}}, nil},
		{"a removed map is taken in", "state.v1.map.m1", `{"id":"m1","version":4,"removed":true}`, nil,
			copies{Maps: []event.MapState{{ID: "m1", Version: 4, Removed: true}}}, nil},
		{"a player's totals are taken in", "state.v1.playerstats.p1", `{"playerId":"p1","version":2,"records":7}`, nil,
			copies{Stats: []event.PlayerStats{{PlayerID: "p1", Version: 2, Records: 7}}}, nil},
		{"what fails for now comes again", "state.v1.playerstats.p1", `{"playerId":"p1"}`, errAway, copies{}, errAway},
		{"what cannot be decoded ends", "state.v1.map.m1", `{"id":1}`, nil, copies{}, eventbus.ErrUndecodable},
		{"what is not known ends", "state.v1.mapstats.m1", `{}`, nil, copies{}, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := copies{fail: tt.fail}
			handler := subscriber.Subscriber{Copies: &got}
			err := handler.Handle(t.Context(), tt.subject, event.Envelope{ID: "1", Data: json.RawMessage(tt.data)})
			if !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			got.fail = nil
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(copies{})); diff != "" {
				t.Errorf("taken in (-want +got):\n%s", diff)
			}
		})
	}
}

// copies note what they were given.
type copies struct {
	Maps  []event.MapState
	Stats []event.PlayerStats
	fail  error
}

func (c *copies) TakeMap(_ context.Context, m event.MapState) error {
	if c.fail == nil {
		c.Maps = append(c.Maps, m)
	}
	return c.fail
}

func (c *copies) TakeStats(_ context.Context, s event.PlayerStats) error {
	if c.fail == nil {
		c.Stats = append(c.Stats, s)
	}
	return c.fail
}
