package postgres_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

func TestStore_unknownIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, id := t.Context(), newID()
	if _, err := w.get(id); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("Entry: %v", err)
	}
	if _, err := w.Leaderboard(ctx, record.Leaderboard{MapID: id, Page: record.Page{Limit: 10}}); !errors.Is(err,
		record.ErrMapUnknown) {
		t.Errorf("Leaderboard: %v", err)
	}
	if _, err := w.Remove(ctx, id, access.Attribution{Actor: access.Operator("root"), Reason: "none"}); !errors.Is(err,
		record.ErrRecordUnknown) {
		t.Errorf("Remove: %v", err)
	}
	if _, err := w.Map(ctx, id); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("Map: %v", err)
	}
	if _, err := w.MapVersion(ctx, 1, ""); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("MapVersion: %v", err)
	}
	if _, err := w.Player(ctx, id); !errors.Is(err, record.ErrPlayerUnknown) {
		t.Errorf("Player: %v", err)
	}
	if _, err := w.FindDuplicate(ctx, record.Record{MapID: id, PlayerID: id, ReplayHash: "00"}); !errors.Is(err,
		record.ErrRecordUnknown) {
		t.Errorf("FindDuplicate: %v", err)
	}
	w.wantStats(record.Stats{})
	w.wantLeaderboard(w.newMap("Empty", racetime.Medals{}))
	page, err := w.List(ctx, record.List{Sort: record.Newest, Page: record.Page{Limit: 10}})
	if err != nil || page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("List: %+v, %v", page, err)
	}
}

func TestStore_Leaderboard_ofPlayer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.newMap("Skyline Run", racetime.Medals{})
	var last record.Player
	for i := range 30 {
		last = w.newPlayer(fmt.Sprintf("p%d", i))
		w.submitted(m, last, 900+i*200)
	}
	for _, tt := range []struct {
		q    record.Leaderboard
		rows int
	}{
		{record.Leaderboard{MapID: m.ID, PlayerID: last.ID, Page: record.Page{Limit: 10}}, 1},
		{record.Leaderboard{MapID: m.ID, PlayerID: last.ID, Page: record.Page{Offset: 1, Limit: 10}}, 0},
		{record.Leaderboard{MapID: m.ID, PlayerID: newID(), Page: record.Page{Limit: 10}}, 0},
	} {
		page, err := w.Leaderboard(t.Context(), tt.q)
		w.must(err)
		if len(page.Records) != tt.rows || tt.rows == 1 && page.Records[0].Rank != 30 {
			t.Errorf("%+v: %+v, want %d rows of rank 30", tt.q, page, tt.rows)
		}
	}
}

func TestStore_List(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, n := w.newMap("m", racetime.Medals{}), w.newMap("n", racetime.Medals{})
	a, b := w.newPlayer("a"), w.newPlayer("b")
	w.submitted(m, a, 1000)
	w.submitted(n, b, 900)
	w.remove(w.submitted(n, a, 100))
	w.submitted(m, a, 1100)
	w.submitted(m, b, 900)
	for _, tt := range []struct {
		name   string
		sort   record.Sort
		player string
		window record.Page
		want   []string
		total  int64
	}{
		{"newest first", record.Newest, "", record.Page{Limit: 10},
			[]string{"m b 900 pb", "m a 1100", "n b 900 pb", "m a 1000 pb"}, 4},
		{"oldest first", record.Sort{By: record.ByUpdated}, "", record.Page{Limit: 2}, []string{"m a 1000 pb", "n b 900 pb"},
			4},
		{"fastest first, the earlier of equals before", record.Sort{By: record.ByTime}, "", record.Page{Limit: 3},
			[]string{"n b 900 pb", "m b 900 pb", "m a 1000 pb"}, 4},
		{"slowest first", record.Sort{By: record.ByTime, Descending: true}, "", record.Page{Limit: 1}, []string{"m a 1100"},
			4},
		{"a part", record.Newest, "", record.Page{Offset: 1, Limit: 2}, []string{"m a 1100", "n b 900 pb"}, 4},
		{"past the end", record.Newest, "", record.Page{Offset: 4, Limit: 2}, nil, 4},
		{"of one player", record.Newest, a.ID, record.Page{Limit: 10}, []string{"m a 1100", "m a 1000 pb"}, 2},
		{"of one player, fastest first", record.Sort{By: record.ByTime}, a.ID, record.Page{Limit: 10},
			[]string{"m a 1000 pb", "m a 1100"}, 2},
		{"of a player without records", record.Newest, newID(), record.Page{Limit: 10}, nil, 0},
	} {
		page, err := w.List(t.Context(), record.List{PlayerID: tt.player, Sort: tt.sort, Page: tt.window})
		w.must(err)
		var got []string
		for _, e := range page.Records {
			line := fmt.Sprintf("%s %s %d", e.Map.Name, e.Player.Name, e.FinishTime)
			if e.PersonalBest {
				line += " pb"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || page.Total != tt.total {
			t.Errorf("%s: total %d, want %d; (-want +got):\n%s", tt.name, page.Total, tt.total, diff)
		}
	}
}

func TestStore_Details_withoutCopies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, p := record.Map{ID: newID()}, record.Player{ID: newID()}
	rec := w.submitted(m, p, 900)
	got, err := w.get(rec.ID)
	w.must(err)
	want := record.RankedRecord{Record: rec, Map: m, Player: p, PersonalBest: true, Rank: 1, Of: 1, IsWorldRecord: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}
