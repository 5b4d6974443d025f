package app_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

func TestAPI_effects(t *testing.T) {
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	moderator := b.newPlayer("Mod")
	moderator.Roles, moderator.Version = []string{access.Moderator}, 2
	require.NoError(t, b.Publish(t.Context(), moderator))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)
	best, next := b.submitted(ann, m, 40_000), b.submitted(bob, m, 50_000)
	get := func(path string) servicetest.Answer {
		t.Helper()
		a := b.get("/api/v1"+path, "Authorization", "Bearer "+b.keys.Token(moderator))
		if a.Status == http.StatusOK && a.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: Cache-Control %q", path, a.Header.Get("Cache-Control"))
		}
		return a
	}
	for path, want := range map[string]map[string]any{
		"/records/" + best.Record.ID + "/effects": {
			"movedUp": 1.0, "nextBest": false, "worldRecord": true,
			"nextWorldRecord": map[string]any{
				"_id": next.Record.ID, "finishTime": 50_000.0,
				"player": map[string]any{"_id": bob.ID, "name": "Bob", "skinImageUrl": nil, "skinColor": "#8e24aa"},
			},
			"restoration": nil,
		},
		"/records/" + next.Record.ID + "/effects": {
			"movedUp": 0.0, "nextBest": false, "worldRecord": false, "nextWorldRecord": nil, "restoration": nil,
		},
		"/players/" + ann.ID + "/records/effects": {
			"hidden": false, "records": 1.0, "maps": 1.0, "worldRecords": 1.0, "givenBack": 1.0,
		},
	} {
		if diff := cmp.Diff(want, servicetest.Data[map[string]any](t, get(path))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	_, err := b.command("remove", best.Record.ID, "a test")
	require.NoError(t, err)
	_, err = b.command("hide", bob.ID, "a test")
	require.NoError(t, err)
	removed := servicetest.Data[map[string]any](t, get("/records/"+best.Record.ID+"/effects"))
	wantRestoration := map[string]any{"rank": 1.0, "movedDown": 0.0, "worldRecord": true, "presentWorldRecord": nil}
	if diff := cmp.Diff(wantRestoration, removed["restoration"]); diff != "" {
		t.Errorf("restoring a record (-want +got):\n%s", diff)
	}
	hidden := servicetest.Data[map[string]any](t, get("/players/"+bob.ID+"/records/effects"))
	if hidden["hidden"] != true || hidden["records"] != 1.0 || hidden["worldRecords"] != 1.0 {
		t.Errorf("showing a player: %v", hidden)
	}
	_, err = b.command("show", bob.ID, "a test")
	require.NoError(t, err)
	_, err = b.command("restore", best.Record.ID, "a test")
	require.NoError(t, err)
	ofMap := servicetest.Data[map[string]any](t, get("/maps/"+m.ID+"/effects"))
	if ofMap["records"] != 2.0 || ofMap["players"] != 2.0 {
		t.Errorf("of the map: %v", ofMap)
	}
	for _, path := range []string{
		"/records/" + newID() + "/effects", "/records/x/effects", "/players/" + newID() + "/records/effects",
		"/players/x/records/effects", "/maps/" + newID() + "/effects", "/maps/x/effects",
	} {
		if a := get(path); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, a.Status, a.Raw)
		}
	}
	counts, err := eventbus.Call[event.CountMedals, event.MedalCounts](t.Context(), b.NATS, event.CountMedalsSubject,
		event.CountMedals{
			MapID: m.ID, WithoutPlayerID: ann.ID,
			Medals: event.Medals{Author: 10_000, Gold: 20_000, Silver: 30_000, Bronze: 60_000},
		})
	if err != nil || counts != (event.MedalCounts{Bronze: 1}) {
		t.Errorf("medals: %+v, %v", counts, err)
	}
	if _, err := eventbus.Call[event.CountMedals, event.MedalCounts](t.Context(), b.NATS, event.CountMedalsSubject,
		event.CountMedals{MapID: "x"}); err == nil {
		t.Error("medals of no map are counted")
	}
}
