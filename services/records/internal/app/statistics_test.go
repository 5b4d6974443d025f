package app_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/services/records/internal/httpapi"
)

func TestAPI_statistics(t *testing.T) {
	b := setup(t)
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	skyline, garden, cellar := b.newMap("Skyline Run"), b.newMap("Garden"), b.newMap("Cellar")
	b.publish(cellar.MapState)
	first, second := b.submitted(ann, skyline, 45_000).Record, b.submitted(bob, skyline, 44_000).Record
	b.submitted(ann, garden, 39_000)
	path := "/api/v1/players/" + ann.ID
	a := b.get(path + "/statistics")
	got := servicetest.Data[httpapi.PlayerStatistics](t, a)
	want := httpapi.PlayerStatistics{
		Finished: httpapi.FinishedMaps{Total: 2, Of: 3},
		Modes: []httpapi.ModeStatistics{{
			Mode: new("Classic"), Finished: 2, Of: 3, Medals: httpapi.MedalCounts{Author: 1, Silver: 1},
		}},
	}
	ignored := cmpopts.IgnoreFields(httpapi.PlayerStatistics{}, "Activity", "BestPlacements", "LostWorldRecords",
		"WorldRecords")
	assert.Equal(t, "answer", want, got, ignored)
	reign := got.WorldRecords.LongestReign
	if got.WorldRecords.Now != 1 || got.WorldRecords.Ever != 2 || reign == nil ||
		(reign.Until == nil) != (reign.Map.UnderscoreId == garden.ID) {
		t.Errorf("world records %+v", got.WorldRecords)
	}
	lost := got.LostWorldRecords[0]
	if lost.Record != first.UnderscoreId || lost.BrokenBy.Record != second.UnderscoreId ||
		lost.BrokenBy.Player.Name != "Bob" ||
		lost.Milliseconds != parseTime(t, lost.Until).Sub(parseTime(t, lost.From)).Milliseconds() {
		t.Errorf("lost %+v", lost)
	}
	if p := got.BestPlacements; len(p) != 2 || p[0].Map.Name != "Garden" || p[1].Rank != 2 || p[1].Of != 2 ||
		len(got.Activity) != 24 || got.Activity[23].Records != 2 {
		t.Errorf("placements %+v, activity %+v", p, got.Activity)
	}
	keys := fmt.Sprintf("player:%s player:%s maps maps-by-records player:%s", ann.ID, ann.ID, bob.ID)
	if got := a.Header.Get("Surrogate-Key"); got != keys {
		t.Errorf("Surrogate-Key %q, want %q", got, keys)
	}

	b.submitted(ann, skyline, 43_000)
	a = b.get(path + "/improvements")
	improved := servicetest.Data[[]httpapi.ImprovedMap](t, a)
	if len(improved) != 1 || improved[0].Map.Name != "Skyline Run" || improved[0].MapVersion != 1 ||
		*improved[0].Mode != "Classic" || improved[0].FirstFinishTime != 45_000 || improved[0].ImprovedBy != 2000 ||
		improved[0].Best.FinishTime != 43_000 || improved[0].Improvements != 1 || a.Pagination["total"] != 1.0 {
		t.Errorf("improved maps %+v of %v", improved, a.Pagination)
	}
	series := read[[]httpapi.Improvement](b, path+"/improvements/"+skyline.ID)
	if len(series) != 2 || series[0].ImprovedBy != nil || series[1].FinishTime != 43_000 || *series[1].ImprovedBy != 2000 {
		t.Errorf("improvements %+v", series)
	}
	if none := read[[]httpapi.Improvement](b, path+"/improvements/"+cellar.ID); len(none) != 0 {
		t.Errorf("improvements on a map that is not finished: %+v", none)
	}
	unknown := "/api/v1/players/" + newID()
	b.wantCodes(map[string]string{
		unknown + "/statistics": "player_unknown", unknown + "/improvements": "player_unknown",
		unknown + "/improvements/" + garden.ID: "player_unknown", "/api/v1/players/nobody/statistics": "player_unknown",
		path + "/improvements/" + newID(): "map_unknown", path + "/improvements?limit=101": "page_invalid",
	})
}
