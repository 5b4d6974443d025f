package app_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

type wireComparison struct {
	Player   struct{ Name string }
	Opponent struct{ Name string }
	Score    wireScore
	Modes    []struct {
		Mode  *string
		Score wireScore
	}
	Maps []wireComparedMap
}

type wireScore struct{ Wins, Losses, Ties int }

type wireComparedMap struct {
	Map              struct{ Name string }
	Mode             *string
	Player, Opponent struct{ FinishTime int64 }
	Difference       int64
}

func TestAPI_compare(t *testing.T) {
	t.Parallel()
	b := setup(t)
	won, lost, alone := b.newMap("Skyline Run"), b.newMap("Garden"), b.newMap("Cellar")
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	b.submitted(ann, won, 45_000)
	b.submitted(bob, won, 46_000)
	b.submitted(ann, lost, 50_400)
	b.submitted(bob, lost, 50_000)
	b.submitted(bob, alone, 44_000)
	compare := func(first, second, query string) servicetest.Answer {
		return b.get("/api/v1/players/" + first + "/compare/" + second + query)
	}

	answer := compare(ann.ID, bob.ID, "")
	got := servicetest.Data[wireComparison](t, answer)
	want := wireComparison{Score: wireScore{Wins: 1, Losses: 1}, Maps: []wireComparedMap{
		{Mode: new("Classic"), Difference: 400}, {Mode: new("Classic"), Difference: -1000},
	}}
	want.Player.Name, want.Opponent.Name = "Ann", "Bob"
	want.Maps[0].Map.Name, want.Maps[0].Player.FinishTime, want.Maps[0].Opponent.FinishTime = "Garden", 50_400, 50_000
	want.Maps[1].Map.Name, want.Maps[1].Player.FinishTime, want.Maps[1].Opponent.FinishTime = "Skyline Run", 45_000, 46_000
	want.Modes = got.Modes[:min(1, len(got.Modes))]
	if diff := cmp.Diff(want, got); diff != "" || answer.Pagination["total"] != 2 {
		t.Errorf("total %d; (-want +got):\n%s", answer.Pagination["total"], diff)
	}
	if len(got.Modes) != 1 || *got.Modes[0].Mode != "Classic" || got.Modes[0].Score != got.Score {
		t.Errorf("modes %+v", got.Modes)
	}
	near := servicetest.Data[wireComparison](t, compare(ann.ID, bob.ID, "?behindBelow=500&sortBy=biggest"))
	if len(near.Maps) != 1 || near.Maps[0].Map.Name != "Garden" || near.Score != got.Score {
		t.Errorf("behind by less than half a second: %+v", near)
	}
	for path, want := range map[string]struct {
		status int
		code   string
	}{
		ann.ID + "/compare/" + ann.ID:                       {http.StatusUnprocessableEntity, "same_player"},
		ann.ID + "/compare/" + newID():                      {http.StatusNotFound, "player_unknown"},
		"nobody/compare/" + bob.ID:                          {http.StatusNotFound, "player_unknown"},
		ann.ID + "/compare/" + bob.ID + "?sortBy=name":      {http.StatusBadRequest, "sort_unknown"},
		ann.ID + "/compare/" + bob.ID + "?behindBelow=0":    {http.StatusBadRequest, "behind_below_invalid"},
		ann.ID + "/compare/" + bob.ID + "?behindBelow=half": {http.StatusBadRequest, "malformed_request"},
		ann.ID + "/compare/" + bob.ID + "?limit=101":        {http.StatusBadRequest, "page_invalid"},
	} {
		if a := b.get("/api/v1/players/" + path); a.Status != want.status || a.Code != want.code {
			t.Errorf("%s: %d %s, want %d %s", path, a.Status, a.Raw, want.status, want.code)
		}
	}

	eve := b.newPlayer("Eve")
	b.submitted(eve, alone, 43_000)
	merged := event.PlayerState{ID: eve.ID, Version: 2, Removed: true, MergedInto: ann.ID}
	require.NoError(t, b.Publish(t.Context(), merged))
	eventually.WaitFor(t, "the merged player's record", func() bool {
		merged := servicetest.Data[wireComparison](t, compare(eve.ID, bob.ID, ""))
		return merged.Player.Name == "Ann" && merged.Score == wireScore{Wins: 2, Losses: 1}
	})
}
