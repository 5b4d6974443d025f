package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/record"
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

// The id in a token may be that of a player who was merged since.
func TestAPI_around_merged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.newMap("Skyline Run")
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	b.submitted(ann, m, 41_000)
	merged := event.PlayerState{ID: bob.ID, Version: 2, Removed: true, MergedInto: ann.ID}
	require.NoError(t, b.Publish(t.Context(), merged))
	eventually.WaitFor(t, "the merge", func() bool {
		return len(servicetest.Data[[]wireRow](t, b.get("/api/v1/records?map="+m.ID+"&around="+bob.ID))) == 1
	})
}

// The maps service asks for the maps that a player has played.
func TestFindPlayed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	first, second, near := b.newMap("First"), b.newMap("Second"), b.newMap("Near")
	b.submitted(ann, first, 39_000)
	b.submitted(ann, second, 59_000)
	b.submitted(bob, second, 45_000)
	b.submitted(ann, near, 42_500)
	dan, fay := b.newPlayer("Dan"), b.newPlayer("Fay")
	b.submitted(dan, second, 45_000) // as fast as Bob, and later
	b.submitted(fay, first, 71_000)
	fay.Version, fay.Banned = 2, true
	require.NoError(t, b.Publish(t.Context(), fay))
	merged := event.PlayerState{ID: newID(), Version: 2, Removed: true, MergedInto: ann.ID}
	require.NoError(t, b.Publish(t.Context(), merged))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)

	find := func(q event.FindPlayed) ([]string, error) {
		found, err := eventbus.Call[event.FindPlayed, event.PlayedMaps](t.Context(), b.NATS, event.FindPlayedSubject, q)
		if err != nil {
			return nil, err
		}
		ids, err := found.MapIDs.UUIDs()
		require.NoError(t, err)
		var names []string
		for _, id := range ids {
			for _, m := range []drawnMap{first, second, near} {
				if m.ID == uuid.UUID(id).String() {
					names = append(names, m.Name)
				}
			}
		}
		return names, nil
	}
	for name, tt := range map[string]struct {
		q    event.FindPlayed
		want []string
	}{
		"all":                    {event.FindPlayed{PlayerID: ann.ID}, []string{"First", "Second", "Near"}},
		"of a merged player":     {event.FindPlayed{PlayerID: merged.ID}, []string{"First", "Second", "Near"}},
		"of another player":      {event.FindPlayed{PlayerID: bob.ID, Filter: event.Played}, []string{"Second"}},
		"of one without":         {event.FindPlayed{PlayerID: b.newPlayer("Cid").ID}, nil},
		"not first":              {event.FindPlayed{PlayerID: ann.ID, Filter: event.NotFirst}, []string{"Second"}},
		"an equal time is first": {event.FindPlayed{PlayerID: bob.ID, Filter: event.NotFirst}, nil},
		"a later one is not":     {event.FindPlayed{PlayerID: dan.ID, Filter: event.NotFirst}, []string{"Second"}},
		"of a banned player":     {event.FindPlayed{PlayerID: fay.ID}, []string{"First"}},
		"near":                   {event.FindPlayed{PlayerID: ann.ID, Filter: event.Near}, []string{"Near"}},
		"by rank, worst first": {
			event.FindPlayed{PlayerID: ann.ID, Order: event.ByRank, Descending: true}, []string{"Second", "First", "Near"},
		},
		"by the next medal": {
			event.FindPlayed{PlayerID: ann.ID, Order: event.ByNextMedal}, []string{"Near", "Second"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := find(tt.q)
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
	for name, tt := range map[string]struct {
		q    event.FindPlayed
		want error
	}{
		"unknown filter": {event.FindPlayed{PlayerID: ann.ID, Filter: event.Unplayed}, record.ErrPlayedUnknown},
		"unknown order":  {event.FindPlayed{PlayerID: ann.ID, Order: "name"}, record.ErrPlayedUnknown},
		"unknown player": {event.FindPlayed{PlayerID: newID()}, record.ErrPlayerUnknown},
		"no id":          {event.FindPlayed{PlayerID: "ann"}, record.ErrPlayerUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := find(tt.q); !errors.Is(err, tt.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// The leaderboards do not show a hidden player's records, so that all maps are unplayed.
func TestFindPlayed_hidden(t *testing.T) {
	b := setup(t)
	ann := b.newPlayer("Ann")
	b.submitted(ann, b.newMap("Skyline Run"), 45_000)
	_, err := b.command("hide", ann.ID, "a test")
	require.NoError(t, err)
	for _, q := range []event.FindPlayed{{}, {Filter: event.BelowGold}, {Order: event.ByRank}} {
		q.PlayerID = ann.ID
		found, err := eventbus.Call[event.FindPlayed, event.PlayedMaps](t.Context(), b.NATS, event.FindPlayedSubject, q)
		if err != nil || len(found.MapIDs) > 0 {
			t.Errorf("%+v: %v, error %v", q, found, err)
		}
	}
}
