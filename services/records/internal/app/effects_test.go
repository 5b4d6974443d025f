package app_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/httpapi"
)

func TestAPI_effects(t *testing.T) {
	b := setup(t)
	m, ann, bob, moderator := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob"), b.newPlayer("Mod")
	moderator.Roles, moderator.Version = []string{access.Moderator}, 2
	b.publish(moderator)
	best, next := b.submitted(ann, m, 40_000).Record.UnderscoreId, b.submitted(bob, m, 50_000).Record.UnderscoreId
	ofBest := "/api/v1/records/" + best + "/effects"
	a := b.get(ofBest, b.bearer(moderator)...)
	b.wantPrivate(a)
	want := httpapi.RecordEffects{MovedUp: 1, WorldRecord: true, NextWorldRecord: &httpapi.WorldRecordSuccessor{
		UnderscoreId: next, FinishTime: 50_000,
		Player: httpapi.PlayerRef{UnderscoreId: bob.ID, Name: "Bob", SkinColor: new("#8e24aa")},
	}}
	if diff := cmp.Diff(want, servicetest.Data[httpapi.RecordEffects](t, a)); diff != "" {
		t.Errorf("removing a record (-want +got):\n%s", diff)
	}
	b.commands([]string{"remove", best, "a test"}, []string{"hide", bob.ID, "a test"})
	want = httpapi.RecordEffects{Restoration: &httpapi.RestorationEffects{Rank: new(int64(1)), WorldRecord: true}}
	if diff := cmp.Diff(want, read[httpapi.RecordEffects](b, ofBest, b.bearer(moderator)...)); diff != "" {
		t.Errorf("restoring a record (-want +got):\n%s", diff)
	}
	hidden := httpapi.HidingEffects{Hidden: true, Records: 1, Maps: 1, WorldRecords: 1}
	path := "/api/v1/players/" + bob.ID + "/records/effects"
	if diff := cmp.Diff(hidden, read[httpapi.HidingEffects](b, path, b.bearer(moderator)...)); diff != "" {
		t.Errorf("showing a player (-want +got):\n%s", diff)
	}
	b.commands([]string{"show", bob.ID, "a test"})
	ofMap := httpapi.MapEffects{Records: 1, Players: 1, Medals: httpapi.MedalHolders{Bronze: 1}}
	path = "/api/v1/maps/" + m.ID + "/effects"
	if diff := cmp.Diff(ofMap, read[httpapi.MapEffects](b, path, b.bearer(moderator)...)); diff != "" {
		t.Errorf("of the map (-want +got):\n%s", diff)
	}
	b.wantCodes(map[string]string{
		"/api/v1/records/" + newID() + "/effects": "record_unknown", "/api/v1/maps/x/effects": "map_unknown",
		"/api/v1/players/" + newID() + "/records/effects": "player_unknown",
	}, b.bearer(moderator)...)
}
