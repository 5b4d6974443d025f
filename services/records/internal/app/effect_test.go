package app_test

import (
	"testing"

	"capzone.dev/devstack/assert"
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
	assert.Equal(t, "removing a record", want, servicetest.Data[httpapi.RecordEffects](t, a))
	b.commands([]string{"remove", best, "a test"}, []string{"hide", bob.ID, "a test"})
	want = httpapi.RecordEffects{Restoration: &httpapi.RestorationEffects{Rank: new(int64(1)), WorldRecord: true}}
	assert.Equal(t, "restoring a record", want, read[httpapi.RecordEffects](b, ofBest, b.bearer(moderator)...))
	hidden := httpapi.HidingEffects{Hidden: true, Records: 1, Maps: 1, WorldRecords: 1}
	path := "/api/v1/players/" + bob.ID + "/records/effects"
	assert.Equal(t, "showing a player", hidden, read[httpapi.HidingEffects](b, path, b.bearer(moderator)...))
	b.commands([]string{"show", bob.ID, "a test"})
	ofMap := httpapi.MapEffects{Records: 1, Players: 1, Medals: httpapi.MedalHolders{Bronze: 1}}
	path = "/api/v1/maps/" + m.ID + "/effects"
	assert.Equal(t, "of the map", ofMap, read[httpapi.MapEffects](b, path, b.bearer(moderator)...))
	b.wantCodes(map[string]string{
		"/api/v1/records/" + newID() + "/effects": "record_unknown", "/api/v1/maps/x/effects": "map_unknown",
		"/api/v1/players/" + newID() + "/records/effects": "player_unknown",
	}, b.bearer(moderator)...)
}
