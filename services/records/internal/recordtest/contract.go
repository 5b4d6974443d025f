package recordtest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

// Store is everything that keeps runs.
type Store interface {
	record.Runs
	record.Catalogue
	record.Removals
	record.Totals
	record.MapCopies
	record.PlayerCopies
	record.Replays
	// Counts returns how many runs stand of each map and each player that ever
	// had one, as others are told.
	Counts() (maps, players map[string]int64)
}

// Contract tests what every store of runs keeps. open returns an empty store.
func Contract(t *testing.T, open func(t *testing.T) Store) {
	t.Helper()
	for name, test := range map[string]func(t *testing.T, s Store){
		"what is unknown is so called":                      unknown,
		"a run is shown with its map and player":            roundTrip,
		"only a faster run replaces the best":               ranking,
		"equal times are ordered by moment and id":          ties,
		"what a submission meets is found at once":          lookups,
		"a twin is refused, also of a removed run":          twins,
		"20 submissions of one file at once make one run":   atOnce,
		"submissions of many at once are all counted":       manyAtOnce,
		"a message has its effect once":                     deliveredTwice,
		"a removed best gives way to the next":              removal,
		"of equal times the first is next":                  removalOfEqual,
		"a player's row is found wherever it is":            ownRow,
		"runs are listed in each order":                     listing,
		"a removed map takes its runs along":                removedMap,
		"a removed map takes no run":                        runOnRemovedMap,
		"runs that come while a map is removed don't count": runsWhileMapIsRemoved,
		"a merged player's runs are the other's":            merged,
		"merges go along a chain, told in any order":        mergedInAnyOrder,
		"a tombstone is completed by whom it points at":     mergedAfterTombstone,
		"a merged player gets no run":                       runOfMergedPlayer,
		"runs that come while a player is merged go along":  runsWhilePlayerIsMerged,
		"copies take what is newer, in any order":           copies,
		"what has no copy has its id":                       withoutCopies,
		"random changes leave what the naive model leaves":  random,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func unknown(t *testing.T, s Store) {
	t.Helper()
	ctx, id := t.Context(), newID()
	if _, err := s.Entry(ctx, id); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("Entry: %v", err)
	}
	if _, err := s.Leaderboard(ctx, record.Leaderboard{MapID: id, Window: record.Window{Limit: 10}}); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("Leaderboard: %v", err)
	}
	if _, err := s.Remove(ctx, id, record.Attribution{Operator: "root", Reason: "none"}); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("Remove: %v", err)
	}
	if _, err := s.Map(ctx, id); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("Map: %v", err)
	}
	if _, err := s.MapByGameID(ctx, 1); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("MapByGameID: %v", err)
	}
	if _, err := s.Player(ctx, id); !errors.Is(err, record.ErrPlayerUnknown) {
		t.Errorf("Player: %v", err)
	}
	if _, err := s.Twin(ctx, record.Run{MapID: id, ReplayHash: "00"}); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("Twin: %v", err)
	}
	w := &world{t: t, Store: s}
	w.wantStats(record.Stats{})
	w.wantBoard(w.newMap("Empty", racetime.Medals{}))
	page, err := s.List(ctx, record.List{Sort: record.Newest, Window: record.Window{Limit: 10}})
	if err != nil || page.Total != 0 || len(page.Entries) != 0 {
		t.Errorf("List: %+v, %v", page, err)
	}
}

func roundTrip(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m := w.newMap("Skyline Run", racetime.Medals{Author: 900, Gold: 1000, Silver: 1100, Bronze: 1200})
	p := w.newPlayer("cloudstep")
	slow, fast := w.submit(m, p, 1000), w.submit(m, p, 900)
	for _, tt := range []struct {
		run  record.Run
		best bool
		rank int64
	}{{slow, false, 0}, {fast, true, 1}} {
		got, err := s.Entry(t.Context(), tt.run.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := record.Entry{
			Run:          tt.run,
			Map:          record.Map{ID: m.ID, Name: m.Name, Medals: m.Medals},
			Player:       record.Player{ID: p.ID, Name: p.Name, SkinImageURL: p.SkinImageURL, SkinColor: p.SkinColor},
			PersonalBest: tt.best, Rank: tt.rank,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("entry (-want +got):\n%s", diff)
		}
	}
	w.wantBoard(m, "1 cloudstep 900")
	w.wantStats(record.Stats{Maps: 1, Players: 1, Records: 2})
	w.wantCounts(map[string]int64{m.ID: 2}, map[string]int64{p.ID: 2})
}

func ranking(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m, a, b := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	for _, tt := range []struct {
		name   string
		player record.Player
		time   int
		want   record.Standing
	}{
		{"the first run is best and first", a, 1000, record.Standing{Rank: 1, PersonalBest: true}},
		{"a slower player is second", b, 1100, record.Standing{Rank: 2, PersonalBest: true}},
		{"a slower run keeps the best", a, 1033, record.Standing{Rank: 1, PreviousBest: 1000}},
		{"an equal time keeps the first", a, 1000, record.Standing{Rank: 1, PreviousBest: 1000}},
		{"a faster run takes the lead", b, 900, record.Standing{Rank: 1, PersonalBest: true, PreviousBest: 1100}},
		{"a slower run tells the place of the best", a, 2000, record.Standing{Rank: 2, PreviousBest: 1000}},
		{"a faster run in the same place", a, 967, record.Standing{Rank: 2, PersonalBest: true, PreviousBest: 1000}},
	} {
		got, err := w.add(w.run(m, tt.player, tt.time))
		w.must(err)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	w.wantBoard(m, "1 b 900", "2 a 967")
	w.wantCounts(map[string]int64{m.ID: 7}, map[string]int64{a.ID: 5, b.ID: 2})
}

func ties(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m := w.newMap("Skyline Run", racetime.Medals{})
	late, early := w.run(m, w.newPlayer("late"), 900), w.run(m, w.newPlayer("early"), 900)
	early.FinishTimeStamp = late.FinishTimeStamp.Add(-time.Hour)
	for _, tt := range []struct {
		run  record.Run
		want record.Standing
	}{
		{late, record.Standing{Rank: 1, PersonalBest: true}},
		// The earlier run takes the lead although it was handed in later.
		{early, record.Standing{Rank: 1, PersonalBest: true}},
	} {
		got, err := w.add(tt.run)
		w.must(err)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("standing (-want +got):\n%s", diff)
		}
	}
	w.wantBoard(m, "1 early 900", "2 late 900")
}

func twins(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m, other := w.newMap("Skyline Run", racetime.Medals{}), w.newMap("Other", racetime.Medals{})
	a, b := w.newPlayer("a"), w.newPlayer("b")
	first := w.submit(m, a, 900)
	again := func(change func(*record.Run)) record.Run {
		r := w.run(m, a, 900)
		r.FinishTimeStamp = first.FinishTimeStamp
		change(&r)
		return r
	}
	check := func() {
		for _, tt := range []struct {
			name string
			run  record.Run
			want error
		}{
			{"the same bytes", again(func(r *record.Run) {
				r.ReplayHash, r.FinishTimeStamp = first.ReplayHash, r.FinishTimeStamp.Add(time.Hour)
			}), record.ErrReplayExists},
			{"the same run in other bytes", again(func(*record.Run) {}), record.ErrReplayExists},
			{"the same run under another name", again(func(r *record.Run) { r.PlayerID = b.ID }), record.ErrReplayCopied},
		} {
			twin, err := s.Twin(t.Context(), tt.run)
			if diff := cmp.Diff(first, twin); diff != "" || err != nil {
				t.Errorf("%s: Twin returned the error %v and (-want +got):\n%s", tt.name, err, diff)
			}
			_, err = w.add(tt.run)
			if !errors.Is(err, tt.want) || problem.From(err).Data["_id"] != first.ID {
				t.Errorf("%s: %v, want %v with the _id of the first", tt.name, err, tt.want)
			}
		}
	}
	check()
	w.wantBoard(m, "1 a 900")
	w.remove(first)
	check()
	w.wantBoard(m)
	_, err := w.add(again(func(r *record.Run) { r.MapID = other.ID }))
	w.must(err)
	_, err = w.add(again(func(r *record.Run) { r.FinishTimeStamp = r.FinishTimeStamp.Add(time.Millisecond); r.PlayerID = b.ID }))
	w.must(err)
}

func atOnce(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m, p := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a")
	run := w.run(m, p, 900)
	errs := make([]error, 20)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			same := run
			same.ID = newID()
			upload, err := s.Keep(t.Context(), same.ReplayHash, []byte("one file"))
			if err == nil {
				_, err = s.Add(t.Context(), record.Addition{Run: same, Replay: upload})
			}
			errs[i] = err
		})
	}
	wg.Wait()
	added := 0
	for _, err := range errs {
		if err == nil {
			added++
		} else if !errors.Is(err, record.ErrReplayExists) {
			t.Error(err)
		}
	}
	if added != 1 {
		t.Errorf("%d runs were added", added)
	}
	w.wantBoard(m, "1 a 900")
	w.wantStats(record.Stats{Maps: 1, Players: 1, Records: 1})
}

func manyAtOnce(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	maps := []record.Map{w.newMap("m", racetime.Medals{}), w.newMap("n", racetime.Medals{})}
	players := []record.Player{w.newPlayer("a"), w.newPlayer("b"), w.newPlayer("c")}
	var runs []record.Run
	for i := range 60 {
		runs = append(runs, w.run(maps[i%2], players[i%3], 3000-i*33))
	}
	var wg sync.WaitGroup
	for _, r := range runs {
		wg.Go(func() {
			upload, err := s.Keep(t.Context(), r.ReplayHash, []byte(r.ReplayHash))
			if err == nil {
				_, err = s.Add(t.Context(), record.Addition{Run: r, Replay: upload})
			}
			if err == nil && r.FinishTime%2 == 0 {
				_, err = s.Remove(t.Context(), r.ID, record.Attribution{Operator: "root", Reason: "even"})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	model := NewMemory()
	for _, r := range runs {
		_, err := model.Add(t.Context(), record.Addition{Run: r})
		w.must(err)
		if r.FinishTime%2 == 0 {
			_, err = model.Remove(t.Context(), r.ID, record.Attribution{})
			w.must(err)
		}
	}
	w.wantCounts(model.Counts())
	for _, m := range maps {
		w.must(model.TakeMap(t.Context(), m))
		for _, p := range players {
			w.must(model.TakePlayer(t.Context(), p))
		}
		w.wantBoard(m, (&world{t: t, Store: model}).board(m)...)
	}
}

func deliveredTwice(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m, p := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a")
	message := record.Delivery{Consumer: "records-maps", ID: newID()}
	for i, want := range []error{nil, record.ErrDelivered} {
		r := w.run(m, p, 900)
		upload, err := s.Keep(context.Background(), r.ReplayHash, []byte("x"))
		w.must(err)
		if _, err = s.Add(t.Context(), record.Addition{Run: r, Replay: upload, Delivery: message}); !errors.Is(err, want) {
			t.Errorf("delivery %d: %v, want %v", i+1, err, want)
		}
	}
	w.wantStats(record.Stats{Maps: 1, Players: 1, Records: 1})
}
