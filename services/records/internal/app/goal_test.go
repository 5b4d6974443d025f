package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/services/records/internal/httpapi"
)

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
