package app_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

func TestAPI_following(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, empty := b.newMap("Skyline Run"), b.newMap("Garden")
	var players []event.PlayerState
	for i, name := range []string{"Ann", "Bob", "Cid", "Dan", "Eve"} {
		players = append(players, b.newPlayer(name))
		b.submitted(players[i], m, 40_000+1000*i)
	}
	bob, dan, without := players[1], players[3], b.newPlayer("Fay")
	b.follow(dan, bob.ID, players[4].ID, without.ID, newID())
	b.follow(without, bob.ID)
	b.follow(bob, "no id")
	merged := event.PlayerState{ID: newID(), Version: 2, Removed: true, MergedInto: dan.ID}
	require.NoError(t, b.Publish(t.Context(), merged))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)
	token := func(p event.PlayerState) string { return "Bearer " + b.keys.Token(p) }
	path := "/api/v1/records?following=true&map=" + m.ID

	all := []wireRow{{2, nil}, {4, &wireGap{2000, 2000}}, {5, &wireGap{1000, 3000}}}
	for name, tt := range map[string]struct {
		query  string
		caller event.PlayerState
		total  int64
		want   []wireRow
	}{
		"with the own row":     {"", dan, 3, all},
		"without an own row":   {"", without, 1, all[:1]},
		"of oneself alone":     {"", players[2], 1, []wireRow{{3, nil}}},
		"of a merged player":   {"", event.PlayerState{ID: merged.ID, Name: "Old Dan"}, 3, all},
		"the second page":      {"&limit=1&offset=1", dan, 3, all[1:2]},
		"past the end":         {"&offset=3", dan, 3, nil},
		"by finish time":       {"&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc", dan, 3, all},
		"with an empty player": {"&player=&around=", dan, 3, all},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.get(path+tt.query, "Authorization", token(tt.caller))
			if diff := cmp.Diff(tt.want, servicetest.Data[[]wireRow](t, a), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if a.Pagination["total"] != tt.total {
				t.Errorf("pagination %v", a.Pagination)
			}
			if got := a.Header.Get("Cache-Control"); got != "private, no-cache" {
				t.Errorf("Cache-Control %q", got)
			}
			if got := a.Header.Get("Surrogate-Key"); got != "" {
				t.Errorf("the gateway's cache may store it under %q", got)
			}
		})
	}
	query := "following=true&map=" + m.ID
	for name, tt := range map[string]struct {
		query  string
		status int
		code   string
	}{
		"without a map":          {"following=true", http.StatusBadRequest, "following_invalid"},
		"with a player":          {query + "&player=" + dan.ID, http.StatusBadRequest, "following_invalid"},
		"with around":            {query + "&around=" + dan.ID, http.StatusBadRequest, "following_invalid"},
		"neither true nor false": {"following=me&map=" + m.ID, http.StatusBadRequest, "malformed_request"},
		"in another order":       {"following=true&sortBy=updatedAt&map=" + m.ID, http.StatusBadRequest, "sort_unknown"},
		"of an unknown map":      {"following=true&map=" + newID(), http.StatusNotFound, "map_unknown"},
		"of no map":              {"following=true&map=m", http.StatusNotFound, "map_unknown"},
		"of an empty map":        {"following=true&map=" + empty.ID, http.StatusOK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.get("/api/v1/records?"+tt.query, "Authorization", token(dan))
			if a.Status != tt.status || a.Code != tt.code {
				t.Errorf("%d %s", a.Status, a.Raw)
			}
		})
	}
	if a := b.get(path); a.Status != http.StatusUnauthorized || a.Code != "token_missing" {
		t.Errorf("without a token: %d %s", a.Status, a.Raw)
	}
	if a := b.get(path, "Authorization", token(bob)); a.Status != http.StatusInternalServerError {
		t.Errorf("an answer that is no ids: %d %s", a.Status, a.Raw)
	}
	b.owners.stopFollows()
	require.NoError(t, b.NATS.Flush())
	a := b.get(path, "Authorization", token(dan))
	if a.Status != http.StatusServiceUnavailable || a.Code != "following_unavailable" ||
		a.Header.Get("Retry-After") == "" {
		t.Errorf("without the notifications service: %d %s", a.Status, a.Raw)
	}
	for _, query := range []string{"map=" + m.ID, "following=false&map=" + m.ID} {
		if a := b.get("/api/v1/records?" + query); a.Status != http.StatusOK || a.Header.Get("Surrogate-Key") == "" {
			t.Errorf("%s: %d %v", query, a.Status, a.Header)
		}
	}
}
