package app_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

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
