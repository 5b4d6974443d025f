package app_test

import (
	"net/http"
	"strings"
	"testing"

	"capzone.dev/platform/event"
)

// unknownID is an id that nothing has.
const unknownID = "0198c2f4-0000-7000-8000-000000000000"

func TestAPI_refusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m, gone := b.newMap("Skyline Run", bob), b.newMap("Tower", bob)
	b.publish(m, event.MapState{ID: gone.ID, Version: 2, Removed: true})
	read := func(body any) request { return request{http.MethodPost, "/inbox/read", body} }
	update := func(settings ...map[string]string) request {
		return request{http.MethodPut, "/inbox/settings", map[string]any{"settings": settings}}
	}
	setting := func(kind, delivery string) map[string]string {
		return map[string]string{"kind": kind, "delivery": delivery}
	}
	list := func(query string) request { return request{http.MethodGet, "/inbox?" + query, nil} }
	type refusal struct {
		name string
		request
		status int
		code   string
	}
	follow := func(path string) request { return request{http.MethodPut, "/follows/" + path, nil} }
	for _, tt := range []refusal{
		{"a page that is too long", list("limit=101"), 400, "page_invalid"},
		{"an unknown kind", list("kind=followed"), 400, "malformed_request"},
		{"a page before what is no number of 64 bits", list("before=9223372036854775808"), 400, "malformed_request"},
		{"reading both", read(map[string]string{"through": "1", "group": "1"}), 400, "read_ambiguous"},
		{"reading without a body", read(nil), 400, "malformed_request"},
		{"reading through a text", read(map[string]string{"through": "x"}), 404, "notification_unknown"},
		{"reading through what is not there yet", read(map[string]string{"through": "1"}), 404, "notification_unknown"},
		{"reading too much", read(map[string]string{"group": strings.Repeat("1", 16<<10)}), 413, "body_too_large"},
		{"a setting of an unknown kind", update(setting("followed", "off")), 400, "settings_malformed"},
		{"a setting of an unknown delivery", update(setting("passed", "mail")), 400, "settings_malformed"},
		{"a kind twice", update(setting("passed", "off"), setting("passed", "off")), 400, "settings_malformed"},
		{"following oneself", follow("players/" + ann.ID), 422, "follow_self"},
		{"following an unknown player", follow("players/" + unknownID), 404, "player_unknown"},
		{"following another form of an id", follow("players/" + strings.ReplaceAll(bob.ID, "-", "")), 404, "player_unknown"},
		{"following an unknown map", follow("maps/" + unknownID), 404, "map_unknown"},
		{"following a removed map", follow("maps/" + gone.ID), 404, "map_gone"},
	} {
		t.Run(tt.name+" "+tt.method+" "+tt.path, func(t *testing.T) {
			a := b.do(ann, tt.method, tt.path, tt.body)
			if a.Status != tt.status || a.Code != tt.code || a.Message == "" || a.Success {
				t.Errorf("got %d %s, want %d %s", a.Status, a.Raw, tt.status, tt.code)
			}
		})
	}
	if n := b.count("select (select count(*) from player_follows) + (select count(*) from map_follows) " +
		"+ (select count(*) from settings)"); n != 0 {
		t.Errorf("refused requests have left %d rows", n)
	}
}

func TestAPI_owner_away(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("joe")
	m := b.newMap("Skyline Run", bob)
	b.publish(ann, bob)
	for _, stop := range b.owners.stops {
		stop()
	}
	for path, status := range map[string]int{
		"/follows/players/" + bob.ID: http.StatusNoContent,
		"/follows/players/" + joe.ID: http.StatusServiceUnavailable,
		"/follows/maps/" + m.ID:      http.StatusServiceUnavailable,
	} {
		if a := b.do(ann, http.MethodPut, path, nil); a.Status != status {
			t.Errorf("PUT %s: %d %s, want %d", path, a.Status, a.Raw, status)
		}
	}
}
