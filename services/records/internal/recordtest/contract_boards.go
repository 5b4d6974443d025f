package recordtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

func removal(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m, a, b := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	slow, fast := w.submit(m, a, 1000), w.submit(m, a, 900)
	w.submit(m, b, 933)
	w.wantBoard(m, "1 a 900", "2 b 933")

	w.remove(fast)
	w.wantBoard(m, "1 b 933", "2 a 1000")
	w.wantCounts(map[string]int64{m.ID: 2}, map[string]int64{a.ID: 1, b.ID: 1})
	if _, err := s.Entry(t.Context(), fast.ID); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("the removed run is still there: %v", err)
	}
	if _, err := s.Remove(t.Context(), fast.ID, record.Attribution{Operator: "root", Reason: "again"}); !errors.Is(err, record.ErrAlreadyRemoved) {
		t.Errorf("removed twice: %v", err)
	}

	w.remove(slow)
	w.wantBoard(m, "1 b 933")
	w.wantCounts(map[string]int64{m.ID: 1}, map[string]int64{a.ID: 0, b.ID: 1})
	w.wantStats(record.Stats{Maps: 1, Players: 2, Records: 1})

	// Somebody whose runs were all removed begins anew.
	got, err := w.add(w.run(m, a, 2000))
	w.must(err)
	if diff := cmp.Diff(record.Standing{Rank: 2, PersonalBest: true}, got); diff != "" {
		t.Errorf("standing (-want +got):\n%s", diff)
	}
}

func removalOfEqual(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m, a := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a")
	best, first, second := w.submit(m, a, 900), w.run(m, a, 967), w.run(m, a, 967)
	// Neither the moment nor the id decides between a player's own runs.
	second.FinishTimeStamp = first.FinishTimeStamp.Add(-duration(1000))
	first.ID, second.ID = second.ID, first.ID
	for _, r := range []record.Run{first, second} {
		_, err := w.add(r)
		w.must(err)
	}
	w.remove(best)
	for r, want := range map[record.Run]bool{first: true, second: false} {
		entry, err := s.Entry(t.Context(), r.ID)
		w.must(err)
		if entry.PersonalBest != want {
			t.Errorf("the run of %v is the best: %v, want %v", r.FinishTimeStamp, entry.PersonalBest, want)
		}
	}
}

func ownRow(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m := w.newMap("Skyline Run", racetime.Medals{})
	var last record.Player
	for i := range 30 {
		last = w.newPlayer(fmt.Sprintf("p%d", i))
		w.submit(m, last, 900+i*200)
	}
	for _, tt := range []struct {
		q    record.Leaderboard
		rows int
	}{
		{record.Leaderboard{MapID: m.ID, PlayerID: last.ID, Window: record.Window{Limit: 10}}, 1},
		{record.Leaderboard{MapID: m.ID, PlayerID: last.ID, Window: record.Window{Offset: 1, Limit: 10}}, 0},
		{record.Leaderboard{MapID: m.ID, PlayerID: newID(), Window: record.Window{Limit: 10}}, 0},
	} {
		page, err := s.Leaderboard(t.Context(), tt.q)
		w.must(err)
		if len(page.Entries) != tt.rows || tt.rows == 1 && page.Entries[0].Rank != 30 {
			t.Errorf("%+v: %+v, want %d rows of rank 30", tt.q, page, tt.rows)
		}
	}
}

func listing(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m, n := w.newMap("m", racetime.Medals{}), w.newMap("n", racetime.Medals{})
	a, b := w.newPlayer("a"), w.newPlayer("b")
	w.submit(m, a, 1000)
	w.submit(n, b, 900)
	w.remove(w.submit(n, a, 100))
	w.submit(m, a, 1100)
	w.submit(m, b, 900)
	for _, tt := range []struct {
		name   string
		sort   record.Sort
		player string
		window record.Window
		want   []string
		total  int64
	}{
		{"newest first", record.Newest, "", record.Window{Limit: 10}, []string{"m b 900 pb", "m a 1100", "n b 900 pb", "m a 1000 pb"}, 4},
		{"oldest first", record.Sort{By: record.ByUpdated}, "", record.Window{Limit: 2}, []string{"m a 1000 pb", "n b 900 pb"}, 4},
		{"fastest first, the earlier of equals before", record.Sort{By: record.ByTime}, "", record.Window{Limit: 3}, []string{"n b 900 pb", "m b 900 pb", "m a 1000 pb"}, 4},
		{"slowest first", record.Sort{By: record.ByTime, Descending: true}, "", record.Window{Limit: 1}, []string{"m a 1100"}, 4},
		{"a part", record.Newest, "", record.Window{Offset: 1, Limit: 2}, []string{"m a 1100", "n b 900 pb"}, 4},
		{"past the end", record.Newest, "", record.Window{Offset: 4, Limit: 2}, nil, 4},
		{"of one player", record.Newest, a.ID, record.Window{Limit: 10}, []string{"m a 1100", "m a 1000 pb"}, 2},
		{"of one player, fastest first", record.Sort{By: record.ByTime}, a.ID, record.Window{Limit: 10}, []string{"m a 1000 pb", "m a 1100"}, 2},
		{"of a player without runs", record.Newest, newID(), record.Window{Limit: 10}, nil, 0},
	} {
		page, err := s.List(t.Context(), record.List{PlayerID: tt.player, Sort: tt.sort, Window: tt.window})
		w.must(err)
		var got []string
		for _, e := range page.Entries {
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

// random submits and removes runs at random, with many equal times, and compares
// with the naive model.
func random(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	model := NewMemory()
	random := rand.New(rand.NewPCG(1, 2))
	maps := []record.Map{w.newMap("m", racetime.Medals{Author: 3000, Gold: 4000, Silver: 5000, Bronze: 6000}), w.newMap("n", racetime.Medals{})}
	var players []record.Player
	for i := range 40 {
		players = append(players, w.newPlayer(fmt.Sprintf("p%02d", i)))
	}
	for _, m := range maps {
		w.must(model.TakeMap(t.Context(), m))
	}
	for _, p := range players {
		w.must(model.TakePlayer(t.Context(), p))
	}
	var runs []record.Run
	for step := range 400 {
		switch {
		case random.IntN(25) == 0:
			from, into := random.IntN(len(players)), random.IntN(len(players))
			if from > into { // no circles
				tombstone := record.Player{ID: players[from].ID, Version: 2, Removed: true, MergedInto: players[into].ID}
				w.must(s.TakePlayer(t.Context(), tombstone))
				w.must(model.TakePlayer(t.Context(), tombstone))
			}
		case len(runs) > 0 && random.IntN(5) == 0:
			r := runs[random.IntN(len(runs))]
			_, got := s.Remove(t.Context(), r.ID, record.Attribution{Operator: "root", Reason: "random"})
			_, want := model.Remove(t.Context(), r.ID, record.Attribution{})
			if !errors.Is(got, want) {
				t.Fatalf("step %d: remove: %v, want %v", step, got, want)
			}
		default:
			// 60 different times over many stretches, so that ties and changes within a stretch are common.
			r := w.run(maps[random.IntN(2)], players[random.IntN(len(players))], 1000+random.IntN(60)*233)
			if random.IntN(3) == 0 {
				r.FinishTimeStamp = day.Add(duration(random.IntN(50)))
			}
			got, gotErr := w.add(r)
			want, wantErr := model.Add(t.Context(), record.Addition{Run: r})
			if diff := cmp.Diff(want, got); diff != "" || !errors.Is(gotErr, wantErr) {
				t.Fatalf("step %d: error %v, want %v; standing (-want +got):\n%s", step, gotErr, wantErr, diff)
			}
			if gotErr == nil {
				runs = append(runs, r)
			}
		}
		w.compareSome(model, random, maps, players, runs)
	}
	w.wantCounts(model.Counts())
}

// compareSome compares answers to questions drawn at random.
func (w *world) compareSome(model *Memory, random *rand.Rand, maps []record.Map, players []record.Player, runs []record.Run) {
	w.t.Helper()
	ctx, t := w.t.Context(), w.t
	window := record.Window{Offset: random.IntN(45), Limit: 1 + random.IntN(12)}
	board := record.Leaderboard{MapID: maps[random.IntN(2)].ID, Window: window}
	list := record.List{Sort: record.Sort{By: record.ByUpdated, Descending: random.IntN(2) == 0}, Window: window}
	if random.IntN(2) == 0 {
		list.Sort.By = record.ByTime
	}
	if random.IntN(2) == 0 {
		board.PlayerID = players[random.IntN(len(players))].ID
		board.Offset = random.IntN(2)
		list.PlayerID = board.PlayerID
	}
	gotPage, err := w.Leaderboard(ctx, board)
	w.must(err)
	wantPage, _ := model.Leaderboard(ctx, board)
	equal := cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreFields(record.Map{}, "Version", "BonkDBID", "Fingerprint")}
	if diff := cmp.Diff(wantPage, gotPage, equal); diff != "" {
		t.Fatalf("leaderboard %+v (-want +got):\n%s", board, diff)
	}
	gotPage, err = w.List(ctx, list)
	w.must(err)
	wantPage, _ = model.List(ctx, list)
	if diff := cmp.Diff(wantPage, gotPage, equal); diff != "" {
		t.Fatalf("list %+v (-want +got):\n%s", list, diff)
	}
	if len(runs) > 0 {
		id := runs[random.IntN(len(runs))].ID
		got, gotErr := w.Entry(ctx, id)
		want, wantErr := model.Entry(ctx, id)
		if diff := cmp.Diff(want, got, equal); diff != "" || !errors.Is(gotErr, wantErr) {
			t.Fatalf("entry: error %v, want %v; (-want +got):\n%s", gotErr, wantErr, diff)
		}
	}
}
