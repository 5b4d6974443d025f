package app_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/httpapi"
)

// rankingLines describes the rows of a ranking.
func rankingLines(page httpapi.RankingPage) (all []string) {
	for _, row := range page.Data {
		all = append(all, fmt.Sprintf("%d %s %v", row.Rank, row.Player.Name, row.Value))
	}
	return all
}

func (b *bundle) points(player event.PlayerState) httpapi.PlayerPoints {
	b.t.Helper()
	return read[httpapi.PlayerPoints](b, "/api/v1/players/"+player.ID+"/points")
}

func (b *bundle) ranking(query string) httpapi.RankingPage {
	b.t.Helper()
	return unmarshalled[httpapi.RankingPage](b, b.get("/api/v1/rankings"+query))
}

// awaitPoints waits until the points of a player have all that was submitted before.
func (b *bundle) awaitPoints(player event.PlayerState) (of httpapi.PlayerPoints) {
	b.t.Helper()
	submitted := time.Now()
	eventually.WaitFor(b.t, "the points of "+player.Name, func() bool {
		of = b.points(player)
		return parseTime(b.t, of.AsOf).After(submitted)
	})
	return of
}

// In this test three finishers, three maps and two authors suffice.
func TestAPI_points(t *testing.T) {
	b := setup(t)
	maps := []drawnMap{b.newMap("Skyline Run"), b.newMap("Garden"), b.newMap("Cellar")}
	var players []event.PlayerState
	for _, name := range []string{"Ann", "Bob", "Cid", "Dan"} {
		players = append(players, b.newPlayer(name))
	}
	newcomer := b.newPlayer("Eve")
	for _, m := range maps {
		for i, p := range players {
			b.submitted(p, m, 45_000+i*1_000)
		}
	}
	b.submitted(newcomer, maps[0], 41_000)

	got := b.awaitPoints(players[0])
	if got.Total != 372 || *got.Rank != 1 || got.Ranked != 4 || got.FormulaVersion != 1 || got.Missing != nil ||
		got.Thresholds.Finishers != 3 || got.WorldRecords != 2 || got.Finished != 3 || got.Medals.Silver != 3 {
		t.Errorf("points of Ann: %+v", got)
	}
	sum := 0.0
	for i, m := range got.Maps {
		if m.Opponents != 3 || m.Place != 1 || m.Beaten != 3 || m.Finish != 3.9 ||
			m.BeatenPoints != 100.4 || m.PlaceBonus != 26.1 ||
			m.Points != 130.4 || m.Position != int64(i+1) || m.FinishersMissing != 0 {
			t.Errorf("%+v", m)
		}
		sum += m.Share
	}
	if at := outboxtest.Last[event.RankingChanged](t, b.Pool).At; !at.Equal(at.Truncate(time.Millisecond)) {
		t.Errorf("the fact has the time %s", at)
	}
	if fmt.Sprintf("%.1f", sum) != "372.0" {
		t.Errorf("the shares add up to %v", sum)
	}

	assert.Equal(t, "modes", []httpapi.ModePoints{{Mode: "Classic", Points: 372}}, got.Modes)

	second := b.points(newcomer)
	want := &httpapi.MissingForRank{Reason: "maps", Maps: 2, Authors: 1}
	diff := cmp.Diff(want, second.Missing)
	if diff != "" || second.Total != 0 || second.Rank != nil || len(second.Maps) != 0 {
		t.Errorf("points of Eve: %+v (-want +got):\n%s", second, diff)
	}
	ranking := b.ranking("")
	lines := []string{"1 Ann 372", "2 Bob 231.9", "3 Cid 117.8", "4 Dan 11.1"}
	assert.Equal(t, "ranking", lines, rankingLines(ranking))
	now := time.Now().UTC()
	if r := ranking.Pagination; r.Total != 4 || r.Pages != 1 || ranking.PeriodFrom != nil || ranking.FormulaVersion != 1 {
		t.Errorf("ranking %+v", ranking)
	}
	for query, want := range map[string][]string{
		"?by=worldRecords":                   {"1 Ann 2"},
		"?by=finished&limit=2":               nil, // all are first, in the order of their ids
		"?by=authorMedals":                   nil,
		"?mode=Classic&period=month":         rankingLines(ranking),
		"?mode=Grapple":                      nil,
		"?page=2&limit=3":                    {"4 Dan 11.1"},
		"?page=9":                            nil,
		"?around=" + players[3].ID:           rankingLines(ranking),
		"?by=points&around=" + players[0].ID: rankingLines(ranking),
	} {
		got := b.ranking(query)
		if query == "?by=finished&limit=2" {
			if len(got.Data) != 2 || got.Data[0].Rank != 1 || got.Data[1].Rank != 1 || got.Data[1].Value != 3 {
				t.Errorf("%s: %+v", query, got.Data)
			}
			continue
		}
		assert.Equal(t, query, want, rankingLines(got))
	}
	from := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	if month := b.ranking("?period=month"); !parseTime(t, *month.PeriodFrom).Equal(from) ||
		!parseTime(t, *month.PeriodUntil).Equal(from.AddDate(0, 1, 0)) {
		t.Errorf("the month is from %s until %s", *month.PeriodFrom, *month.PeriodUntil)
	}
	for _, row := range b.leaderboard(maps[0]) {
		want := map[string]float64{"Ann": 130.4, "Bob": 81.3, "Cid": 41.3, "Dan": 3.9}
		if points, counts := want[row.Player.Name]; counts != (row.Points != nil) || counts && *row.Points != points {
			t.Errorf("%s has %v points on the leaderboard, want %v", row.Player.Name, orNone(row.Points), points)
		}
	}
	ofMap := read[httpapi.MapPoints](b, "/api/v1/maps/"+maps[0].ID+"/points")
	if !ofMap.Ranked || ofMap.Reason != nil || ofMap.Finishers != 4 || len(ofMap.Places) != 4 ||
		ofMap.Places[0].Points != 130.4 {
		t.Errorf("of the map %+v", ofMap)
	}
	ofMap = read[httpapi.MapPoints](b, "/api/v1/maps/"+b.newMap("Empty").ID+"/points")
	if ofMap.Ranked || *ofMap.Reason != "finishers" || ofMap.Finishers != 0 || len(ofMap.Places) > 0 {
		t.Errorf("of a map without records %+v", ofMap)
	}

	b.commands([]string{"hide", players[0].ID, "a test"})
	if got := b.awaitPoints(players[0]); got.Total != 0 || got.Missing.Reason != "value" {
		t.Errorf("points of a hidden player: %+v", got)
	}
	b.awaitPoints(players[1])
	if diff := cmp.Diff([]string{"1 Bob 259.3", "2 Cid 123.2", "3 Dan 7.7"}, rankingLines(b.ranking(""))); diff != "" {
		t.Errorf("ranking without Ann (-want +got):\n%s", diff)
	}
}

// What is refused, one of each kind.
func TestAPI_points_refusals(t *testing.T) {
	b := setup(t)
	ann, ghost := b.newPlayer("Ann"), b.newPlayer("Ghost")
	b.wantCodes(map[string]string{
		"/api/v1/rankings?by=level":                      "ranking_unknown",
		"/api/v1/rankings?mode=Hoverboard":               "mode_unknown",
		"/api/v1/rankings?limit=101":                     "page_invalid",
		"/api/v1/rankings?page=x":                        "malformed_request",
		"/api/v1/rankings?around=" + ann.ID + "&limit=5": "around_invalid",
		"/api/v1/rankings?around=nobody":                 "player_unknown",
		"/api/v1/rankings?around=" + ghost.ID:            "player_unranked",
		"/api/v1/players/" + newID() + "/points":         "player_unknown",
		"/api/v1/players/" + newID() + "/points/history": "player_unknown",
		"/api/v1/players/" + ann.ID + "/points?mode=%00": "mode_unknown",
		"/api/v1/players/" + ann.ID + "/points/history":  "",
		"/api/v1/maps/" + newID() + "/points":            "map_unknown",
	})
	var unranked struct{ Missing httpapi.MissingForRank }
	require.NoError(t, json.Unmarshal(b.get("/api/v1/rankings?around="+ann.ID).Data, &unranked))
	if want := (httpapi.MissingForRank{Reason: "maps", Maps: 3, Authors: 2}); unranked.Missing != want {
		t.Errorf("missing %+v, want %+v", unranked.Missing, want)
	}
}
