package natsapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

const id = "0198c0de-0000-7000-8000-000000000001"

func TestApplyReports(t *testing.T) {
	t.Parallel()
	body := func(rest string) string {
		return fmt.Sprintf(`{"room":"r1","bot":"b1","session":%q,"number":1,"kind":"joined"%s}`, id, rest)
	}
	for _, tt := range []struct {
		name, subject, body string
		ok                  bool
	}{
		{"a visitor has joined", "room.v1.event.r1", body(`,"visitor":{"visit":1,"name":"cloudstep"},"news":1`), true},
		{"a room without a visitor", "room.v1.event.r1", body(""), true},
		{"no JSON", "room.v1.event.r1", "x", false},
		{"another room's subject", "room.v1.event.r2", body(""), false},
		{"no session", "room.v1.event.r1", `{"room":"r1","bot":"b1","kind":"joined"}`, false},
		{"a session that is none", "room.v1.event.r1", `{"room":"r1","bot":"b1","session":"*","kind":"joined"}`, false},
		{"no bot", "room.v1.event.r1", fmt.Sprintf(`{"room":"r1","session":%q}`, id), false},
		{"a visitor without a visit", "room.v1.event.r1", body(`,"visitor":{"name":"cloudstep"}`), false},
		{"a name without end", "room.v1.event.r1",
			body(`,"visitor":{"visit":1,"name":"` + strings.Repeat("x", 300) + `"}`),
			false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := decodeReport(tt.subject, []byte(tt.body))
			if (err == nil) != tt.ok {
				t.Fatalf("error %v", err)
			}
			if tt.ok && (r.Room != "r1" || r.Bot != "b1" || r.Session != id || r.Kind != event.RoomJoined) {
				t.Errorf("read %+v", r)
			}
		})
	}
}

// applied records the states that it was given.
type applied struct {
	states []event.PlayerState
	fail   error
}

func (k *applied) ApplyPlayer(_ context.Context, p event.PlayerState) error {
	k.states = append(k.states, p)
	return k.fail
}

func TestApplyCopies(t *testing.T) {
	t.Parallel()
	errAway := errors.New("the database is away")
	for _, tt := range []struct {
		name, data string
		fail       error
		want       []event.PlayerState
		err        error
	}{
		{"a state", `{"id":"` + id + `","version":3,"name":"cloudstep","news":1}`, nil,
			[]event.PlayerState{{ID: id, Version: 3, Name: "cloudstep"}}, nil},
		{"an outage", `{"id":"` + id + `","version":1}`, errAway, []event.PlayerState{{ID: id, Version: 1}}, errAway},
		{"not a state", `{"id":7}`, nil, nil, eventbus.ErrUndecodable},
		{"an invalid id", `{"id":"x","version":1}`, nil, nil, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := &applied{fail: tt.fail}
			err := ApplyCopies(k)(t.Context(), "state.v1.player."+id,
				event.Envelope{ID: "1", Data: json.RawMessage(tt.data)})
			if !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			assert.Equal(t, "applied", tt.want, k.states)
		})
	}
}
