package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

type wireGoals struct {
	Kind  string
	Goals []wireGoal
}

type wireGoal struct {
	Map  struct{ Name string }
	Mode *string
	Best *struct {
		FinishTime, Rank int64
		Medal            *string
	}
	Target *struct {
		Kind       string
		Medal      *string
		Rank       *int64
		FinishTime int64
	}
	Gap         *int64
	RelativeGap *float64
}

// String describes a goal as "map: best, rank, medal -> target, time, gap".
func (g wireGoal) String() string {
	text := g.Map.Name + ":"
	if g.Best != nil {
		text += fmt.Sprintf(" %d, %d, %s", g.Best.FinishTime, g.Best.Rank, orNone(g.Best.Medal))
	}
	if g.Target != nil {
		text += fmt.Sprintf(" -> %s %s %s, %d", g.Target.Kind, orNone(g.Target.Medal), orNone(g.Target.Rank),
			g.Target.FinishTime)
	}
	if g.Gap != nil {
		text += fmt.Sprintf(", %d (%.4f)", *g.Gap, *g.RelativeGap)
	}
	return text
}

func orNone[T any](v *T) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprint(*v)
}

func descriptions(goals []wireGoal) []string {
	var all []string
	for _, g := range goals {
		all = append(all, g.String())
	}
	return all
}

func TestAPI_goals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	token := "Bearer " + b.keys.Token(ann)
	goals := func() wireGoals {
		t.Helper()
		a := b.get("/api/v1/records/goals", "Authorization", token)
		if got := a.Header.Get("Cache-Control"); got != "private, no-cache" || a.Header.Get("Surrogate-Key") != "" {
			t.Errorf("Cache-Control %q, Surrogate-Key %q", got, a.Header.Get("Surrogate-Key"))
		}
		return servicetest.Data[wireGoals](t, a)
	}
	wantGoals := func(kind string, want ...string) {
		t.Helper()
		got := goals()
		if diff := cmp.Diff(want, descriptions(got.Goals), cmpopts.EquateEmpty()); got.Kind != kind || diff != "" {
			t.Errorf("kind %q (-want +got):\n%s", got.Kind, diff)
		}
	}
	starters := func() []string {
		t.Helper()
		a := b.get("/api/v1/records/starters")
		if got := a.Header.Get("Surrogate-Key"); got != "maps maps-by-records" {
			t.Errorf("Surrogate-Key of the starters: %q", got)
		}
		return descriptions(servicetest.Data[[]wireGoal](t, a))
	}
	wantGoals("newcomer")

	var maps []drawnMap
	for i := range 6 {
		m := b.newMap(fmt.Sprintf("map %d", i))
		maps = append(maps, m)
		b.submitted(bob, m, 43_000+1000*i)
	}
	easiest := func(i int) string { return fmt.Sprintf("map %d: -> medal bronze none, 60000", i) }
	wantGoals("newcomer", easiest(0), easiest(1), easiest(2), easiest(3), easiest(4))
	if diff := cmp.Diff([]string{easiest(0), easiest(1), easiest(2), easiest(3), easiest(4)}, starters()); diff != "" {
		t.Errorf("starters (-want +got):\n%s", diff)
	}
	for i := range 4 {
		b.submitted(ann, maps[i], 42_500+1000*i)
	}
	wantGoals("newcomer", easiest(4), easiest(5))
	b.submitted(ann, maps[4], 48_100)
	want := []string{
		"map 4: 48100, 2, bronze -> medal silver none, 48000, 100 (0.0021)",
		"map 0: 42500, 1, silver -> medal gold none, 42400, 100 (0.0024)",
		"map 1: 43500, 1, silver -> medal gold none, 42400, 1100 (0.0253)",
		"map 2: 44500, 1, silver -> medal gold none, 42400, 2100 (0.0472)",
		"map 3: 45500, 1, silver -> medal gold none, 42400, 3100 (0.0681)",
	}
	wantGoals("goals", want...)

	putAside := func(method, mapID string, header ...string) servicetest.Answer {
		return b.do(method, b.URL+"/api/v1/records/goals/"+mapID+"/put-aside", nil, header...)
	}
	for range 2 { // again, it begins anew
		if a := putAside(http.MethodPost, maps[4].ID, "Authorization", token); a.Status != http.StatusNoContent {
			t.Fatalf("put aside: %d %s", a.Status, a.Raw)
		}
	}
	wantGoals("goals", want[1:]...)
	days := b.count("select round(extract(epoch from until - now()) / 86400) from goals_put_aside where player_id = $1", ann.ID)
	if days != 30 {
		t.Errorf("put aside for %d days", days)
	}
	for range 2 {
		if a := putAside(http.MethodDelete, maps[4].ID, "Authorization", token); a.Status != http.StatusNoContent {
			t.Fatalf("take up: %d %s", a.Status, a.Raw)
		}
	}
	wantGoals("goals", want...)
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		for id, code := range map[string]string{newID(): "map_unknown", "nothing": "map_unknown"} {
			if a := putAside(method, id, "Authorization", token); a.Status != http.StatusNotFound || a.Code != code {
				t.Errorf("%s %s: %d %s", method, id, a.Status, a.Raw)
			}
		}
		if a := putAside(method, maps[0].ID); a.Status != http.StatusUnauthorized {
			t.Errorf("%s without a token: %d %s", method, a.Status, a.Raw)
		}
	}
	if a := b.get("/api/v1/records/goals"); a.Status != http.StatusUnauthorized {
		t.Errorf("without a token: %d %s", a.Status, a.Raw)
	}

	b.submitted(ann, maps[4], 47_033)
	wantGoals("goals", append([]string{"map 4: 47033, 2, silver -> place none 1, 46967, 66 (0.0014)"}, want[1:]...)...)
}

// A hidden or merged player is not shown what they have finished, and keeps what they have put aside.
func TestAPI_goals_merged(t *testing.T) {
	b := setup(t)
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	finished, aside, other := b.newMap("finished"), b.newMap("aside"), b.newMap("other")
	b.submitted(bob, finished, 43_000)
	for _, m := range []drawnMap{aside, other} {
		b.get("/api/v1/records?map=" + m.ID) // the copy arrives with the first question
	}
	token := "Bearer " + b.keys.Token(bob)
	a := b.do(http.MethodPost, b.URL+"/api/v1/records/goals/"+aside.ID+"/put-aside", nil, "Authorization", token)
	require.Equal(t, http.StatusNoContent, a.Status, string(a.Raw))
	merged := event.PlayerState{ID: bob.ID, Version: 2, Removed: true, MergedInto: ann.ID}
	require.NoError(t, b.Publish(t.Context(), merged))
	for name, p := range map[string]event.PlayerState{"the merged player": bob, "the other player": ann} {
		eventually.WaitFor(t, name, func() bool {
			a := b.get("/api/v1/records/goals", "Authorization", "Bearer "+b.keys.Token(p))
			names := descriptions(servicetest.Data[wireGoals](t, a).Goals)
			return cmp.Equal(names, []string{"other: -> medal bronze none, 60000"})
		})
	}
	_, err := b.command("hide", ann.ID, "a test")
	require.NoError(t, err)
	a = b.get("/api/v1/records/goals", "Authorization", "Bearer "+b.keys.Token(ann))
	if diff := cmp.Diff([]string{"other: -> medal bronze none, 60000"},
		descriptions(servicetest.Data[wireGoals](t, a).Goals)); diff != "" {
		t.Errorf("of a hidden player (-want +got):\n%s", diff)
	}
}

// Maps that the player has not finished are offered where nothing is left to reach on the others.
func TestAPI_goals_nothing_left(t *testing.T) {
	b := setup(t)
	ann := b.newPlayer("Ann")
	for i := range 5 {
		b.submitted(ann, b.newMap(fmt.Sprint("finished ", i)), 20_000)
	}
	unplayed := b.newMap("unplayed")
	b.get("/api/v1/records?map=" + unplayed.ID) // the copy arrives with the first question
	got := servicetest.Data[wireGoals](t, b.get("/api/v1/records/goals", "Authorization", "Bearer "+b.keys.Token(ann)))
	want := []string{"unplayed: -> medal bronze none, 60000"}
	if diff := cmp.Diff(want, descriptions(got.Goals)); got.Kind != "newcomer" || diff != "" {
		t.Errorf("kind %q (-want +got):\n%s", got.Kind, diff)
	}
}
