package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/httpapi"
)

func TestAPI_compare(t *testing.T) {
	t.Parallel()
	b := setup(t)
	won, lost := b.newMap("Skyline Run"), b.newMap("Garden")
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	for m, times := range map[*drawnMap][2]int{&won: {45_000, 46_000}, &lost: {50_400, 50_000}} {
		b.submitted(ann, *m, times[0])
		b.submitted(bob, *m, times[1])
	}
	merged := event.PlayerState{ID: newID(), Version: 2, Removed: true, MergedInto: ann.ID}
	b.publish(merged)
	path := "/api/v1/players/" + ann.ID + "/compare/" + bob.ID
	lines := func(c httpapi.Comparison) (all []string) {
		for _, m := range c.Maps {
			all = append(all, fmt.Sprintf("%s %v %d %d %d", m.Map.Name, orNone(m.Mode), m.Player.FinishTime,
				m.Opponent.FinishTime, m.Difference))
		}
		return all
	}
	all := []string{"Garden Classic 50400 50000 400", "Skyline Run Classic 45000 46000 -1000"}
	for path, want := range map[string][]string{
		path: all, "/api/v1/players/" + merged.ID + "/compare/" + bob.ID: all,
		path + "?behindBelow=500&sortBy=biggest": all[:1],
	} {
		a := b.get(path)
		got := servicetest.Data[httpapi.Comparison](t, a)
		score := httpapi.Score{Wins: 1, Losses: 1}
		if diff := cmp.Diff(want, lines(got)); diff != "" || a.Pagination["total"] != float64(len(want)) ||
			got.Player.Name != "Ann" || got.Opponent.Name != "Bob" || got.Score != score || got.Modes[0].Score != score {
			t.Errorf("%s: %+v (-want +got):\n%s", path, got, diff)
		}
	}
	b.wantCodes(map[string]string{
		"/api/v1/players/" + ann.ID + "/compare/" + ann.ID:  "same_player",
		"/api/v1/players/" + ann.ID + "/compare/" + newID(): "player_unknown",
		"/api/v1/players/nobody/compare/" + bob.ID:          "player_unknown",
		path + "?sortBy=name":                               "sort_unknown",
		path + "?behindBelow=0":                             "behind_below_invalid",
		path + "?behindBelow=half":                          "malformed_request",
		path + "?limit=101":                                 "page_invalid",
	})
}

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

// goalLines describes goals as "map: best, rank, medal -> target, time, gap".
func goalLines(goals []httpapi.Goal) (all []string) {
	for _, g := range goals {
		text := g.Map.Name + ":"
		if g.Best != nil {
			text += fmt.Sprintf(" %d, %d, %v", g.Best.FinishTime, g.Best.Rank, orNone(g.Best.Medal))
		}
		text += fmt.Sprintf(" -> %s %v %v, %d", g.Target.Kind, orNone(g.Target.Medal), orNone(g.Target.Rank),
			g.Target.FinishTime)
		if g.Gap != nil {
			text += fmt.Sprintf(", %d (%.4f)", *g.Gap, *g.RelativeGap)
		}
		all = append(all, text)
	}
	return all
}

func TestAPI_goals(t *testing.T) {
	b := setup(t)
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	const path = "/api/v1/records/goals"
	wantGoals := func(kind httpapi.GoalsKind, want ...string) {
		t.Helper()
		a := b.get(path, b.bearer(ann)...)
		b.wantPrivate(a)
		got := servicetest.Data[httpapi.Goals](t, a)
		if diff := cmp.Diff(want, goalLines(got.Goals), cmpopts.EquateEmpty()); got.Kind != kind || diff != "" {
			t.Errorf("kind %q (-want +got):\n%s", got.Kind, diff)
		}
	}
	wantGoals("newcomer")
	var maps []drawnMap
	var easiest []string
	for i := range 6 {
		maps = append(maps, b.newMap(fmt.Sprint("map ", i)))
		easiest = append(easiest, fmt.Sprintf("map %d: -> medal bronze none, 60000", i))
		b.submitted(bob, maps[i], 43_000+1000*i)
	}
	wantGoals("newcomer", easiest[:5]...)
	a := b.get("/api/v1/records/starters")
	if diff := cmp.Diff(easiest[:5], goalLines(servicetest.Data[[]httpapi.Goal](t, a))); diff != "" ||
		a.Header.Get("Surrogate-Key") != "maps maps-by-records" {
		t.Errorf("starters with %v (-want +got):\n%s", a.Header, diff)
	}
	for i := range 4 {
		b.submitted(ann, maps[i], 42_500+1000*i)
	}
	wantGoals("newcomer", easiest[4:]...)
	b.submitted(ann, maps[4], 48_100)
	want := []string{
		"map 4: 48100, 2, bronze -> medal silver none, 48000, 100 (0.0021)",
		"map 0: 42500, 1, silver -> medal gold none, 42400, 100 (0.0024)",
		"map 1: 43500, 1, silver -> medal gold none, 42400, 1100 (0.0253)",
		"map 2: 44500, 1, silver -> medal gold none, 42400, 2100 (0.0472)",
		"map 3: 45500, 1, silver -> medal gold none, 42400, 3100 (0.0681)",
	}
	wantGoals("goals", want...)
	putAside := func(method, mapID, code string, status int, header ...string) {
		t.Helper()
		a := b.do(method, b.URL+path+"/"+mapID+"/put-aside", nil, header...)
		if a.Status != status || a.Code != code {
			t.Errorf("%s %s: %d %s", method, mapID, a.Status, a.Raw)
		}
	}
	putAside(http.MethodPost, maps[4].ID, "", http.StatusNoContent, b.bearer(ann)...)
	wantGoals("goals", want[1:]...)
	days := b.count("select round(extract(epoch from until - now()) / 86400) from goals_put_aside where player_id = $1",
		ann.ID)
	if days != 30 {
		t.Errorf("put aside for %d days", days)
	}
	putAside(http.MethodDelete, maps[4].ID, "", http.StatusNoContent, b.bearer(ann)...)
	wantGoals("goals", want...)
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		putAside(method, newID(), "map_unknown", http.StatusNotFound, b.bearer(ann)...)
		putAside(method, maps[0].ID, "token_missing", http.StatusUnauthorized)
	}
	b.wantCodes(map[string]string{path: "token_missing"})
	b.submitted(ann, maps[4], 47_033)
	wantGoals("goals", append([]string{"map 4: 47033, 2, silver -> place none 1, 46967, 66 (0.0014)"}, want[1:]...)...)
	// A hidden player is not shown what they have finished. What they have not finished is offered.
	b.commands([]string{"hide", ann.ID, "a test"})
	wantGoals("newcomer", easiest[5])
}
