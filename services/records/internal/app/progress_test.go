package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

type wireProgress struct {
	Map                string            `json:"map"`
	Best               *wireProgressBest `json:"best"`
	NextMedal          *wireNextMedal    `json:"nextMedal"`
	WorldRecord        *int64            `json:"worldRecord"`
	PlayedOlderVersion bool              `json:"playedOlderVersion"`
}

type wireProgressBest struct {
	ID            string  `json:"_id"`
	FinishTime    int64   `json:"finishTime"`
	Rank          int64   `json:"rank"`
	Medal         *string `json:"medal"`
	ToNextMedal   *int64  `json:"toNextMedal"`
	ToWorldRecord int64   `json:"toWorldRecord"`
}

type wireNextMedal struct {
	Medal      string `json:"medal"`
	FinishTime int64  `json:"finishTime"`
}

func TestAPI_progress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	played, empty, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	best := b.submitted(ann, played, 45_000)
	b.submitted(b.newPlayer("Bob"), played, 44_000)
	b.get("/api/v1/records?map=" + empty.ID) // the copy arrives with the first question
	token := "Bearer " + b.keys.Token(ann)
	const path = "/api/v1/records/progress?maps="

	answer := b.get(path+empty.ID+","+newID()+","+played.ID, "Authorization", token)
	want := []wireProgress{
		{Map: empty.ID, NextMedal: &wireNextMedal{"bronze", 60_000}},
		{
			Map: played.ID, NextMedal: &wireNextMedal{"gold", 42_400}, WorldRecord: new(int64(44_000)),
			Best: &wireProgressBest{
				ID: best.Record.ID, FinishTime: 45_000, Rank: 2, Medal: new("silver"),
				ToNextMedal: new(int64(2600)), ToWorldRecord: 1000,
			},
		},
	}
	if diff := cmp.Diff(want, servicetest.Data[[]wireProgress](t, answer)); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if got := answer.Header.Get("Cache-Control"); got != "private, no-cache" {
		t.Errorf("Cache-Control %q", got)
	}
	if got := answer.Header.Get("Surrogate-Key"); got != "" {
		t.Errorf("the gateway's cache may store it under %q", got)
	}
	tooMany := strings.TrimSuffix(strings.Repeat(newID()+",", 50)+strings.Repeat(played.ID+",", 50), ",")
	if a := b.get(path+tooMany, "Authorization", token); a.Status != http.StatusOK {
		t.Errorf("two ids fifty times each: %d %s", a.Status, a.Raw)
	}
	for query, want := range map[string]string{
		"":                    "malformed_request",
		"nobody":              "maps_invalid",
		played.ID + ",nobody": "maps_invalid",
	} {
		if a := b.get(path+query, "Authorization", token); a.Status != http.StatusBadRequest || a.Code != want {
			t.Errorf("maps=%s: %d %s", query, a.Status, a.Raw)
		}
	}
	if a := b.get(path + played.ID); a.Status != http.StatusUnauthorized {
		t.Errorf("without a token: %d %s", a.Status, a.Raw)
	}
}

// wireRow is a row of a leaderboard whose times are a second apart.
type wireRow struct {
	Rank int64
	Gap  *wireGap
}

type wireGap struct{ ToAbove, ToFirst int64 }

// wireRows returns rows of ranks.
func wireRows(first, last int64) (rows []wireRow) {
	for rank := first; rank <= last; rank++ {
		row := wireRow{Rank: rank}
		if rank > 1 {
			row.Gap = &wireGap{ToAbove: 1000, ToFirst: (rank - 1) * 1000}
		}
		rows = append(rows, row)
	}
	return rows
}

func TestAPI_around(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.newMap("Skyline Run")
	var players []event.PlayerState
	for i := range 14 {
		player := b.newPlayer(fmt.Sprintf("player %02d", i))
		players = append(players, player)
		b.submitted(player, m, 40_000+1000*i)
	}
	for name, tt := range map[string]struct {
		around string
		offset int64
		want   []wireRow
	}{
		"in the middle": {players[6].ID, 1, wireRows(2, 12)},
		"first":         {players[0].ID, 0, wireRows(1, 6)},
		"last":          {players[13].ID, 8, wireRows(9, 14)},
		"without a row": {newID(), 0, nil},
		"no id":         {"nobody", 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.get("/api/v1/records?map=" + m.ID + "&around=" + tt.around)
			if diff := cmp.Diff(tt.want, servicetest.Data[[]wireRow](t, a), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if a.Pagination["offset"] != tt.offset || a.Pagination["limit"] != 11 {
				t.Errorf("pagination %v", a.Pagination)
			}
		})
	}
	for _, query := range []string{
		"", "&map=" + m.ID + "&limit=5", "&map=" + m.ID + "&offset=5", "&map=" + m.ID + "&player=" + players[1].ID,
	} {
		a := b.get("/api/v1/records?around=" + players[0].ID + query)
		if a.Status != http.StatusBadRequest || a.Code != "around_invalid" {
			t.Errorf("%s: %d %s", query, a.Status, a.Raw)
		}
	}
}
