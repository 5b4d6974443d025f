package natsapi

import (
	"fmt"
	"strings"
	"testing"

	"capzone.dev/platform/event"
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
