package app_test

import (
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/notification"
)

// unknownID is an id that nothing has.
const unknownID = "0198c2f4-0000-7000-8000-000000000000"

// requests are one request on each route of the API.
func requests(playerID, mapID string) []request {
	return []request{
		{http.MethodGet, "/inbox", nil},
		{http.MethodGet, "/inbox/count", nil},
		{http.MethodPost, "/inbox/read", map[string]string{"through": "1"}},
		{http.MethodGet, "/inbox/settings", nil},
		{http.MethodPut, "/inbox/settings", map[string]any{"settings": []any{}}},
		{http.MethodGet, "/follows", nil},
		{http.MethodGet, "/follows/players/" + playerID, nil},
		{http.MethodPut, "/follows/players/" + playerID, nil},
		{http.MethodDelete, "/follows/players/" + playerID, nil},
		{http.MethodGet, "/follows/maps/" + mapID, nil},
		{http.MethodPut, "/follows/maps/" + mapID, nil},
		{http.MethodDelete, "/follows/maps/" + mapID, nil},
	}
}

func TestAPI_of_the_caller_alone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", bob)
	b.tell(submitted(b.newMap("Tower", ann), bob)) // there is something to read
	stranger := event.PlayerState{ID: unknownID, Name: "stranger"}
	for _, r := range requests(bob.ID, m.ID) {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			for _, token := range []string{"", "Bearer expired"} {
				a := servicetest.Do(t, r.method, b.URL+"/api/v1"+r.path, nil, "Authorization", token)
				if a.Status != http.StatusUnauthorized || a.Success || a.Message == "" {
					t.Errorf("with the token %q: %d %s", token, a.Status, a.Raw)
				}
			}
			if a := b.do(stranger, r.method, r.path, r.body); a.Status != http.StatusNotFound || a.Code != "player_unknown" {
				t.Errorf("by an unknown player: %d %s", a.Status, a.Raw)
			}
			a := b.do(ann, r.method, r.path, r.body)
			switch store := a.Header.Get("Cache-Control"); {
			case a.Status == http.StatusNoContent: // has nothing to store
			case a.Status != http.StatusOK || !a.Success || store != "no-store":
				t.Errorf("%d, Cache-Control %q: %s", a.Status, store, a.Raw)
			}
		})
	}
}

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
	cases := []refusal{
		{"an empty page", list("limit=0"), 400, "page_invalid"},
		{"a page that is too long", list("limit=101"), 400, "page_invalid"},
		{"a limit that is no number", list("limit=x"), 400, "malformed_request"},
		{"an unknown kind", list("kind=followed"), 400, "malformed_request"},
		{"unread neither true nor false", list("unread=perhaps"), 400, "malformed_request"},
		{"a page before a text", list("before=x"), 400, "malformed_request"},
		{"a page before zero", list("before=0"), 400, "malformed_request"},
		{"a page before what is no number of 64 bits", list("before=9223372036854775808"), 400, "malformed_request"},
		{"reading both", read(map[string]string{"through": "1", "group": "1"}), 400, "read_ambiguous"},
		{"reading nothing", read(map[string]string{}), 400, "read_ambiguous"},
		{"reading without a body", read(nil), 400, "malformed_request"},
		{"reading a number", read(map[string]int{"through": 1}), 400, "malformed_request"},
		{"reading through a text", read(map[string]string{"through": "x"}), 404, "notification_unknown"},
		{"reading through what is not there yet", read(map[string]string{"through": "1"}), 404, "notification_unknown"},
		{"reading a group that is a text", read(map[string]string{"group": "x"}), 404, "notification_unknown"},
		{"reading a group that is not there", read(map[string]string{"group": "7"}), 404, "notification_unknown"},
		{"reading too much", read(map[string]string{"group": strings.Repeat("1", 16<<10)}), 413, "body_too_large"},
		{"a setting of an unknown kind", update(setting("followed", "off")), 400, "settings_malformed"},
		{"a setting of an unknown delivery", update(setting("passed", "mail")), 400, "settings_malformed"},
		{"a setting of nothing", update(map[string]string{}), 400, "settings_malformed"},
		{"a kind twice", update(setting("passed", "off"), setting("passed", "off")), 400, "settings_malformed"},
		{"settings that are none", request{http.MethodPut, "/inbox/settings", []int{1}}, 400, "malformed_request"},
		{"following oneself", request{http.MethodPut, "/follows/players/" + ann.ID, nil}, 422, "follow_self"},
	}
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
		for _, id := range []string{"x", unknownID, "urn:uuid:" + bob.ID, strings.ReplaceAll(bob.ID, "-", "")} {
			cases = append(cases,
				refusal{"an unknown player", request{method, "/follows/players/" + id, nil}, 404, "player_unknown"},
				refusal{"an unknown map", request{method, "/follows/maps/" + id, nil}, 404, "map_unknown"})
		}
		if method != http.MethodDelete { // a removed map can be unfollowed
			cases = append(cases,
				refusal{"a removed map", request{method, "/follows/maps/" + gone.ID, nil}, 404, "map_gone"})
		}
	}
	for _, tt := range cases {
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

func TestAPI_follows_full(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("joe")
	m, other := b.newMap("Skyline Run", bob), b.newMap("Tower", bob)
	for _, tt := range []struct{ fill, one, another string }{
		{"insert into player_follows (follower_id, player_id) select $1, gen_random_uuid() from generate_series(1, $2)",
			"/follows/players/" + bob.ID, "/follows/players/" + joe.ID},
		{"insert into map_follows (follower_id, game_map_id) select $1, -n from generate_series(1, $2) n",
			"/follows/maps/" + m.ID, "/follows/maps/" + other.ID},
	} {
		_, err := b.Pool.Exec(t.Context(), tt.fill, ann.ID, notification.MaxFollows-1)
		if err != nil {
			t.Fatal(err)
		}
		b.put(ann, tt.one)
		if a := b.do(ann, http.MethodPut, tt.another, nil); a.Status != http.StatusUnprocessableEntity ||
			a.Code != "follows_full" {
			t.Errorf("one too many: %d %s", a.Status, a.Raw)
		}
		b.put(ann, tt.one) // changes nothing
		if a := b.do(ann, http.MethodDelete, tt.one, nil); a.Status != http.StatusNoContent {
			t.Errorf("DELETE %s: %d %s", tt.one, a.Status, a.Raw)
		}
		b.put(ann, tt.another)
	}
}
