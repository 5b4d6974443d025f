package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

type wirePoints struct {
	Player struct{ Name string }
	Total  float64
	Rank   *int64
	Ranked int64
	Maps   []struct {
		Map                                      struct{ Name string }
		Opponents, Place, Tied, Position         int64
		Beaten, Finish, BeatenPoints, PlaceBonus float64
		Points, Weight, Share                    float64
		FinishersMissing                         int
	}
	Missing                *wireMissing
	AsOf                   time.Time
	WorldRecords, Finished int64
	Medals                 map[string]int64
	FormulaVersion         int
	Thresholds             struct{ Finishers, Maps, Authors int }
	Modes                  []wireModePoints
}

type wireModePoints struct {
	Mode   string
	Points float64
}

type wireMissing struct {
	Reason        string
	Maps, Authors int
}

type wireRanking struct {
	Data []struct {
		Rank         int64
		Player       struct{ Name string }
		Value        float64
		WorldRecords int64
		Change7d     *struct {
			Points float64
			Places int64
		}
	}
	Pagination struct {
		Total, Pages, Offset int64
		Page, Limit          int
	}
	FormulaVersion          int
	AsOf                    time.Time
	PeriodFrom, PeriodUntil *time.Time
}

// lines describes the rows.
func (r wireRanking) lines() (all []string) {
	for _, row := range r.Data {
		all = append(all, fmt.Sprintf("%d %s %v", row.Rank, row.Player.Name, row.Value))
	}
	return all
}

func (b *bundle) points(player event.PlayerState) wirePoints {
	b.t.Helper()
	return servicetest.Data[wirePoints](b.t, b.get("/api/v1/players/"+player.ID+"/points"))
}

func (b *bundle) ranking(query string) wireRanking {
	b.t.Helper()
	answer := b.get("/api/v1/rankings" + query)
	var ranking wireRanking
	require.NoError(b.t, json.Unmarshal(answer.Raw, &ranking), "%d %s", answer.Status, answer.Raw)
	return ranking
}

// awaitPoints waits until the points of a player have all that was submitted before.
func (b *bundle) awaitPoints(player event.PlayerState) (of wirePoints) {
	b.t.Helper()
	submitted := time.Now()
	eventually.WaitFor(b.t, "the points of "+player.Name, func() bool {
		of = b.points(player)
		return of.AsOf.After(submitted)
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
		got.Thresholds.Finishers != 3 || got.WorldRecords != 2 || got.Finished != 3 || got.Medals["silver"] != 3 {
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
	if fmt.Sprintf("%.1f", sum) != "372.0" {
		t.Errorf("the shares add up to %v", sum)
	}

	if diff := cmp.Diff([]wireModePoints{{"Classic", 372}}, got.Modes); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}

	second := b.points(newcomer)
	want := &wireMissing{Reason: "maps", Maps: 2, Authors: 1}
	diff := cmp.Diff(want, second.Missing)
	if diff != "" || second.Total != 0 || second.Rank != nil || len(second.Maps) != 0 {
		t.Errorf("points of Eve: %+v (-want +got):\n%s", second, diff)
	}
	ranking := b.ranking("")
	if diff := cmp.Diff([]string{"1 Ann 372", "2 Bob 231.9", "3 Cid 117.8", "4 Dan 11.1"}, ranking.lines()); diff != "" {
		t.Errorf("ranking (-want +got):\n%s", diff)
	}
	now := time.Now().UTC()
	if r := ranking.Pagination; r.Total != 4 || r.Pages != 1 || ranking.PeriodFrom != nil || ranking.FormulaVersion != 1 {
		t.Errorf("ranking %+v", ranking)
	}
	for query, want := range map[string][]string{
		"?by=worldRecords":                   {"1 Ann 2"},
		"?by=finished&limit=2":               nil, // all are first, in the order of their ids
		"?by=authorMedals":                   nil,
		"?mode=Classic&period=month":         ranking.lines(),
		"?mode=Grapple":                      nil,
		"?page=2&limit=3":                    {"4 Dan 11.1"},
		"?page=9":                            nil,
		"?around=" + players[3].ID:           ranking.lines(),
		"?by=points&around=" + players[0].ID: ranking.lines(),
	} {
		got := b.ranking(query)
		if query == "?by=finished&limit=2" {
			if len(got.Data) != 2 || got.Data[0].Rank != 1 || got.Data[1].Rank != 1 || got.Data[1].Value != 3 {
				t.Errorf("%s: %+v", query, got.Data)
			}
			continue
		}
		if diff := cmp.Diff(want, got.lines()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	from := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	if month := b.ranking("?period=month"); !month.PeriodFrom.Equal(from) ||
		!month.PeriodUntil.Equal(month.PeriodFrom.AddDate(0, 1, 0)) {
		t.Errorf("the month is from %v until %v", month.PeriodFrom, month.PeriodUntil)
	}
	for _, row := range servicetest.Data[[]struct {
		Player struct{ Name string }
		Points *float64
	}](t, b.get("/api/v1/records?map="+maps[0].ID)) {
		want := map[string]float64{"Ann": 130.4, "Bob": 81.3, "Cid": 41.3, "Dan": 3.9}
		if points, counts := want[row.Player.Name]; counts != (row.Points != nil) || counts && *row.Points != points {
			t.Errorf("%s has %v points on the leaderboard, want %v", row.Player.Name, row.Points, points)
		}
	}

	_, err := b.command("hide", players[0].ID, "a test")
	require.NoError(t, err)
	if got := b.awaitPoints(players[0]); got.Total != 0 || got.Missing.Reason != "value" {
		t.Errorf("points of a hidden player: %+v", got)
	}
	b.awaitPoints(players[1])
	if diff := cmp.Diff([]string{"1 Bob 259.3", "2 Cid 123.2", "3 Dan 7.7"}, b.ranking("").lines()); diff != "" {
		t.Errorf("ranking without Ann (-want +got):\n%s", diff)
	}
}

// An answer as of a time after a record's has the record: what the site waits for after a submission.
func TestAPI_points_of_a_new_record(t *testing.T) {
	b := setup(t)
	maps := []drawnMap{b.newMap("Skyline Run"), b.newMap("Garden"), b.newMap("Cellar")}
	var players []event.PlayerState
	for i, name := range []string{"Ann", "Bob", "Cid"} {
		players = append(players, b.newPlayer(name))
		for _, m := range maps {
			b.submitted(players[i], m, 45_000+i*1_000)
		}
	}
	total := b.awaitPoints(players[2]).Total
	for i := range 6 { // in turn past Bob and Ann on each map
		submitted := b.submitted(players[2], maps[i%3], 46_000-i/3*1_000-100)
		var after wirePoints
		eventually.WaitFor(t, "points after the record", func() bool {
			after = b.points(players[2])
			return after.AsOf.After(submitted.Record.CreatedAt)
		})
		if after.Total <= total {
			t.Fatalf("record %d of %v: %v points as of %v, and %v before",
				i, submitted.Record.CreatedAt, after.Total, after.AsOf, total)
		}
		total = after.Total
	}
}

func TestAPI_points_refusals(t *testing.T) {
	b := setup(t)
	ann, ghost := b.newPlayer("Ann"), b.newPlayer("Ghost")
	for query, want := range map[string]string{
		"?by=level":                       "400 ranking_unknown",
		"?mode=%00":                       "400 ranking_unknown",
		"?mode=%FF":                       "400 ranking_unknown",
		"?period=year":                    "400 ranking_unknown",
		"?limit=101":                      "400 page_invalid",
		"?page=0":                         "400 page_invalid",
		"?page=x":                         "400 malformed_request",
		"?around=" + ann.ID + "&limit=5":  "400 around_invalid",
		"?around=" + ann.ID + "&page=1":   "400 around_invalid",
		"?around=" + newID():              "404 player_unknown",
		"?around=nobody":                  "404 player_unknown",
		"?around=" + ghost.ID:             "404 player_unranked",
		"?by=finished&around=" + ghost.ID: "404 player_unranked",
	} {
		answer := b.get("/api/v1/rankings" + query)
		if got := fmt.Sprint(answer.Status, " ", answer.Code); got != want {
			t.Errorf("%s: %s %s, want %s", query, got, answer.Raw, want)
		}
	}
	var unranked struct{ Missing wireMissing }
	require.NoError(t, json.Unmarshal(b.get("/api/v1/rankings?around="+ann.ID).Data, &unranked))
	if want := (wireMissing{Reason: "maps", Maps: 3, Authors: 2}); unranked.Missing != want {
		t.Errorf("missing %+v, want %+v", unranked.Missing, want)
	}
	for path, want := range map[string]int{
		"/players/" + newID() + "/points":           http.StatusNotFound,
		"/players/" + newID() + "/points/history":   http.StatusNotFound,
		"/players/" + ann.ID + "/points?limit=101":  http.StatusBadRequest,
		"/players/" + ann.ID + "/points?mode=%00":   http.StatusBadRequest,
		"/players/" + ann.ID + "/points?offset=-1":  http.StatusBadRequest,
		"/players/" + ann.ID + "/points":            http.StatusOK,
		"/players/" + ann.ID + "/points/history":    http.StatusOK,
		"/maps/" + newID() + "/points":              http.StatusNotFound,
		"/maps/" + b.newMap("Empty").ID + "/points": http.StatusOK,
	} {
		if answer := b.get("/api/v1" + path); answer.Status != want {
			t.Errorf("%s: %d %s, want %d", path, answer.Status, answer.Raw, want)
		}
	}
}

// A map says what its places are worth, or why they are worth nothing.
func TestAPI_points_of_map(t *testing.T) {
	b := setup(t)
	maps := []drawnMap{b.newMap("Skyline Run"), b.newMap("Garden"), b.newMap("Cellar")}
	type wireMap struct {
		Ranked    bool
		Reason    *string
		Finishers int64
		Places    []struct {
			Place  int64
			Points float64
		}
	}
	read := func(wait event.PlayerState) wireMap {
		t.Helper()
		b.awaitPoints(wait)
		return servicetest.Data[wireMap](t, b.get("/api/v1/maps/"+maps[0].ID+"/points"))
	}
	var last event.PlayerState
	for i, name := range []string{"Ann", "Bob", "Cid"} {
		last = b.newPlayer(name)
		for _, m := range maps {
			b.submitted(last, m, 45_000+i*1_000)
		}
		if i == 1 {
			if got := read(last); got.Ranked || *got.Reason != "finishers" || got.Finishers != 2 || len(got.Places) > 0 {
				t.Errorf("with two finishers: %+v", got)
			}
		}
	}
	got := read(last)
	if !got.Ranked || got.Reason != nil || got.Finishers != 3 || len(got.Places) != 3 || got.Places[0].Points != 90.9 {
		t.Errorf("with three finishers: %+v", got)
	}
}

// Sixteen players submit at once, beside two replicas that compute. The total of each is what the page shows of the
// maps.
func TestAPI_points_of_players_who_submit_at_once(t *testing.T) {
	b := setup(t)
	b.startReplica()
	maps := []drawnMap{b.newMap("Skyline Run"), b.newMap("Garden"), b.newMap("Cellar")}
	var players []event.PlayerState
	for i := range 16 {
		players = append(players, b.newPlayer(fmt.Sprintf("Player %02d", i)))
	}
	var all errgroup.Group
	for i, p := range players {
		var replays [][]byte
		for _, m := range maps {
			replays = append(replays, b.replay(m, p.Name, 45_000+i*100))
		}
		all.Go(func() error {
			for _, replay := range replays {
				if answer := b.submit(p, replay); answer.Status != http.StatusCreated {
					return fmt.Errorf("%s: %d %s", p.Name, answer.Status, answer.Raw)
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	submitted := time.Now()
	for _, p := range players {
		b.awaitPoints(p)
	}
	t.Logf("all points are computed %.1f s after the last submission", time.Since(submitted).Seconds())
	for i, p := range players {
		got := b.points(p)
		sum := 0.0
		for _, m := range got.Maps {
			sum += m.Share
			if m.Opponents != 15 || m.Place != int64(i+1) {
				t.Errorf("%s is %d. of %d", p.Name, m.Place, m.Opponents+1)
			}
		}
		if fmt.Sprintf("%.1f", sum) != fmt.Sprintf("%.1f", got.Total) || got.Rank == nil || *got.Rank != int64(i+1) {
			t.Errorf("%s: shares of %v, a total of %v, rank %v", p.Name, sum, got.Total, got.Rank)
		}
	}
}
