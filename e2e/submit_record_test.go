package e2e_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
)

func TestSubmitRecord_refused(t *testing.T) {
	t.Parallel()
	m, entry, _ := submitted(t)
	_, other, _ := submitted(t)
	player := newPlayer(t)
	me := player.Player.Name
	replayChanged := func(changes ...func(*lbreplay.Replay)) []byte { return replay(t, m, me, 50_000, changes...) }
	on := func(change func(*bonkmap.Map)) []byte {
		changed := *m
		change(&changed)
		return replay(t, &changed, me, 50_000)
	}
	cases := []struct {
		name   string
		file   []byte
		mapID  string
		status int
		code   string
	}{
		{"no replay", nil, "", 400, "replay_missing"},
		{"a replay of more than 1 MB", append(replayChanged(), bytes.Repeat([]byte("\nNote: x"), 1<<17)...), "", 413,
			"replay_too_large"},
		{"a replay of 5 MB", bytes.Repeat([]byte("x"), 5<<20), "", 413, ""},
		{"a picture in place of the replay", picture(), "", 422, "replay_invalid"},
		{"a replay with a zero byte", append(replayChanged(), 0), "", 422, "replay_invalid"},
		{"a replay that was not validated", replayChanged(func(r *lbreplay.Replay) { r.Validated = false }), "", 422,
			"replay_not_validated"},
		{"a label that contradicts the data", withLabel(t, replayChanged(), "Map Name", "Another Map"), "", 422,
			"replay_disagrees"},
		{"a replay without map data", withLabel(t, replayChanged(), "Map Data", ""), "", 422, "map_data_missing"},
		{"an unknown map", replay(t, newMap(me), me, 50_000), "", 404, "map_unknown"},
		{"another player's replay", replayChanged(func(r *lbreplay.Replay) { r.PlayerName = "somebody else" }), "", 403,
			"replay_not_yours"},
		{"a record of no time at all", replayChanged(func(r *lbreplay.Replay) { r.FinishTime = 0 }), "", 422, "finish_time_missing"},
		{"a run from the future", replayChanged(func(r *lbreplay.Replay) { r.Timestamp = time.Now().Add(time.Hour) }), "", 422,
			"replay_from_future"},
		{"a run on another map than the chosen one", replayChanged(), other.ID, 422, "wrong_map"},
		{"a run on another version of the map",
			on(func(m *bonkmap.Map) { m.Settings.PlayersCanFly = !m.Settings.PlayersCanFly }), "", 422, "map_version_differs"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := player.SubmitRecord(t.Context(), site.RecordSubmission{Replay: c.file, Map: c.mapID})
			if c.code == "" { // the gateway's own limit comes first
				if p, ok := err.(*site.Problem); !ok || p.Status != c.status { //nolint:errorlint // the site's own
					t.Errorf("got %v, want %d", err, c.status)
				} else {
					whole(t, p)
				}
				return
			}
			p := refused(t, err, c.status, c.code)
			if c.code == "wrong_map" && !strings.HasPrefix(p.Message, "This replay is not for the selected map \"") {
				t.Errorf("message: %s", p.Message)
			}
		})
	}
	t.Run("none of them is kept", func(t *testing.T) {
		runs, err := newVisitor().Records(t.Context(), api.ListRecordsParams{Player: player.Player.ID})
		if err != nil || runs.Pagination.Total != 0 {
			t.Errorf("%+v %v", runs.Data, err)
		}
	})
	t.Run("a run on the chosen map is taken", func(t *testing.T) {
		own := site.RecordSubmission{Replay: replayChanged(), Map: entry.ID}
		if _, err := player.SubmitRecord(t.Context(), own); err != nil {
			t.Error(err)
		}
	})
	t.Run("a run on the map in other colours is taken", func(t *testing.T) {
		recoloured := on(func(m *bonkmap.Map) {
			m.Fixtures = append([]bonkmap.Fixture{}, m.Fixtures...)
			m.Fixtures[0].Colour ^= 0xffffff
			m.VotesUp++
		})
		if _, err := player.SubmitRecord(t.Context(), site.RecordSubmission{Replay: recoloured}); err != nil {
			t.Error(err)
		}
	})
}

func TestSubmitRecord_concurrently(t *testing.T) {
	t.Parallel()
	m, _, _ := submitted(t)
	player := newPlayer(t)
	file := replay(t, m, player.Player.Name, 50_000)
	uploads := atOnce(20, func() (string, error) {
		outcome, err := player.SubmitRecord(t.Context(), site.RecordSubmission{Replay: file})
		return outcome.Record.ID, err
	})
	if len(uploads.made) != 1 {
		t.Fatalf("%d records were made: %v", len(uploads.made), uploads.problems)
	}
	for _, err := range uploads.problems {
		if p := refused(t, err, http.StatusConflict, "replay_exists"); p.ID() != uploads.made[0] {
			t.Errorf("the existing record is %q, want %s", p.ID(), uploads.made[0])
		}
	}
	runs, err := newVisitor().Records(t.Context(), api.ListRecordsParams{Player: player.Player.ID})
	if err != nil || runs.Pagination.Total != 1 {
		t.Errorf("%d runs are listed: %v", runs.Pagination.Total, err)
	}
}

func TestSubmitRecord_twice(t *testing.T) {
	t.Parallel()
	m, _, _ := submitted(t)
	player, copier := newPlayer(t), newPlayer(t)
	at := raceday.Add(time.Hour)
	sameMoment := func(r *lbreplay.Replay) { r.Timestamp = at }
	first := site.RecordSubmission{Replay: replay(t, m, player.Player.Name, 50_000, sameMoment)}
	outcome, err := player.SubmitRecord(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("not in other bytes", func(t *testing.T) {
		_, err := player.SubmitRecord(t.Context(), site.RecordSubmission{Replay: append(first.Replay, "\nNote: again\n"...)})
		if p := refused(t, err, http.StatusConflict, "replay_exists"); p.ID() != outcome.Record.ID {
			t.Errorf("the existing record is %q, want %s", p.ID(), outcome.Record.ID)
		}
	})
	t.Run("not under another name", func(t *testing.T) {
		relabelled := replay(t, m, copier.Player.Name, 50_000, sameMoment)
		_, err := copier.SubmitRecord(t.Context(), site.RecordSubmission{Replay: relabelled})
		refused(t, err, http.StatusConflict, "replay_copied")
	})
	t.Run("an honest tie is welcome, and comes after", func(t *testing.T) {
		tie := replay(t, m, copier.Player.Name, 50_000, func(r *lbreplay.Replay) { r.Timestamp = at.Add(time.Minute) })
		if _, err := copier.SubmitRecord(t.Context(), site.RecordSubmission{Replay: tie}); err != nil {
			t.Fatal(err)
		}
		leaderboard, err := newVisitor().Leaderboard(t.Context(), outcome.Record.Map, 0, 10)
		if err != nil || len(leaderboard.Data) < 2 {
			t.Fatalf("%+v %v", leaderboard, err)
		}
		last := leaderboard.Data[len(leaderboard.Data)-1]
		if last.Player.ID != copier.Player.ID || leaderboard.Data[len(leaderboard.Data)-2].ID != outcome.Record.ID {
			t.Errorf("the leaderboard ends with %+v", leaderboard.Data[len(leaderboard.Data)-2:])
		}
	})
}

func TestSubmitRecord_right_after_its_map(t *testing.T) {
	t.Parallel()
	for range 5 {
		m, entry, author := submitted(t)
		// The next request, whatever the events do.
		outcome := finished(t, author, m, 39_000)
		leaderboard, err := newVisitor().Leaderboard(t.Context(), entry.ID, 0, 10)
		if err != nil || len(leaderboard.Data) != 1 || leaderboard.Data[0].FinishTime != 39_000 ||
			leaderboard.Data[0].Player.Name != author.Player.Name {
			t.Errorf("%+v: %+v %v", outcome, leaderboard.Data, err)
		}
	}
}
