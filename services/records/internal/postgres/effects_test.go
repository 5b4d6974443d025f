package postgres_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

func TestStore_RemovalEffects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, gone := w.newMap("m", racetime.Medals{}), w.newMap("gone", racetime.Medals{})
	a, b, c := w.newPlayer("a"), w.newPlayer("b"), w.newPlayer("c")
	onlyOne := w.submitted(gone, a, 900)
	slow, mid := w.submitted(m, a, 1000), w.submitted(m, b, 900)
	third := w.submitted(m, c, 950)
	fast := w.submitted(m, a, 800)
	successor := func(r record.Record, p record.Player) *record.Successor {
		return &record.Successor{ID: r.ID, FinishTime: r.FinishTime, Player: record.Player{
			ID: p.ID, Name: p.Name, SkinImageURL: p.SkinImageURL, SkinColor: p.SkinColor,
		}}
	}
	check := func(r record.Record, want record.RemovalEffects) {
		t.Helper()
		got, err := w.RemovalEffects(t.Context(), r.ID)
		require.NoError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("effects (-want +got):\n%s", diff)
		}
	}
	restored := func(rank, movedDown int64, takesFrom *record.Successor) record.RemovalEffects {
		return record.RemovalEffects{Restoration: &record.RestorationEffects{
			Rank: rank, MovedDown: movedDown, WorldRecord: takesFrom != nil, Loser: takesFrom,
		}}
	}
	check(fast, record.RemovalEffects{MovedUp: 2, NextBest: true, WorldRecord: true, Successor: successor(mid, b)})
	check(mid, record.RemovalEffects{MovedUp: 1})
	check(third, record.RemovalEffects{})
	check(slow, record.RemovalEffects{}) // no personal best
	check(onlyOne, record.RemovalEffects{WorldRecord: true})
	w.remove(mid)
	check(mid, restored(2, 1, nil)) // already
	check(fast, record.RemovalEffects{MovedUp: 1, NextBest: true, WorldRecord: true, Successor: successor(third, c)})
	require.NoError(t, w.setHidden(c, true))
	check(third, record.RemovalEffects{})
	check(fast, record.RemovalEffects{NextBest: true, WorldRecord: true, Successor: successor(slow, a)})
	w.remove(fast)
	check(fast, restored(1, 0, successor(slow, a)))
	w.remove(third)
	check(third, restored(0, 0, nil)) // of a hidden player
	w.remove(slow)
	nobodys := restored(1, 0, nil)
	nobodys.Restoration.WorldRecord = true
	check(slow, nobodys)
	require.NoError(t, w.ApplyMap(t.Context(), record.Map{ID: gone.ID, Version: 2, Removed: true}))
	check(onlyOne, record.RemovalEffects{})
	w.remove(onlyOne)
	check(onlyOne, restored(0, 0, nil))
	if _, err := w.RemovalEffects(t.Context(), newID()); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("an unknown record: %v", err)
	}
}

// Of equal times the personal best is the one that was accepted first, also where the other one has the earlier time
// stamp and is before it in the order of the leaderboard.
func TestStore_RemovalEffects_equal_times(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a, b := w.newMap("m", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	first, between, second := w.record(m, a, 1000), w.record(m, b, 1000), w.record(m, a, 1000)
	between.FinishTimeStamp = first.FinishTimeStamp.Add(-time.Hour)
	second.FinishTimeStamp = first.FinishTimeStamp.Add(-2 * time.Hour)
	check := func(want record.RemovalEffects) {
		t.Helper()
		got, err := w.RemovalEffects(t.Context(), first.ID)
		require.NoError(t, err)
		got.Successor = nil
		if got.Restoration != nil {
			got.Restoration.Loser = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("effects (-want +got):\n%s", diff)
		}
	}
	restored := func(rank int64) record.RemovalEffects {
		return record.RemovalEffects{Restoration: &record.RestorationEffects{Rank: rank, WorldRecord: true}}
	}
	for _, r := range []record.Record{first, second} {
		_, err := w.submit(r)
		require.NoError(t, err)
	}
	check(record.RemovalEffects{NextBest: true, WorldRecord: true})
	w.remove(first)
	check(restored(1))
	w.restore(first)
	_, err := w.submit(between)
	require.NoError(t, err)
	check(record.RemovalEffects{NextBest: true, WorldRecord: true})
	w.remove(first)
	w.wantLeaderboard(m, "1 a 1000", "2 b 1000")
	check(restored(2))
	w.restore(first)
	w.wantLeaderboard(m, "1 b 1000", "2 a 1000")
}

// The effects are what changes, for records of equal times too, whatever the order of their time stamps.
func TestStore_RemovalEffects_random(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			random := rand.New(rand.NewPCG(seed, 3))
			m := w.newMap("m", racetime.Medals{})
			var submitted []record.Record
			var players []record.Player
			for i := range 5 {
				players = append(players, w.newPlayer(fmt.Sprint("player", i)))
			}
			for range 25 {
				r := w.record(m, players[random.IntN(len(players))], 33*(20+random.IntN(6)))
				r.FinishTimeStamp = r.FinishTimeStamp.Add(-time.Duration(random.IntN(24)) * time.Hour)
				if _, err := w.submit(r); err != nil {
					t.Fatal(err)
				}
				submitted = append(submitted, r)
			}
			for _, r := range submitted {
				effects, err := w.RemovalEffects(t.Context(), r.ID)
				require.NoError(t, err)
				before := ranksOf(t, w, m)
				w.remove(r)
				after := ranksOf(t, w, m)
				moved := int64(0)
				for player, rank := range after.ranks {
					if player != r.PlayerID && rank < before.ranks[player] {
						moved++
					}
				}
				_, stays := after.ranks[r.PlayerID]
				got := fmt.Sprint(effects.MovedUp, effects.WorldRecord, effects.NextBest)
				want := fmt.Sprint(moved, before.worldRecord == r.ID, before.best[r.PlayerID] == r.ID && stays)
				if got != want {
					t.Errorf("removing %+v: effects %s, want %s", r, got, want)
				}
				next := ""
				if effects.Successor != nil {
					next = effects.Successor.ID
				}
				if effects.WorldRecord && next != after.worldRecord {
					t.Errorf("removing %+v: the next world record is %q, want %q", r, next, after.worldRecord)
				}
				wantRestoration(t, w, m, r)
				if random.IntN(3) == 0 {
					w.remove(r)
				}
			}
		})
	}
}

// wantRestoration restores a record and compares what changes with its effects.
func wantRestoration(t *testing.T, w *world, m record.Map, r record.Record) {
	t.Helper()
	effects, err := w.RemovalEffects(t.Context(), r.ID)
	require.NoError(t, err)
	before := ranksOf(t, w, m)
	w.restore(r)
	after := ranksOf(t, w, m)
	want := record.RestorationEffects{WorldRecord: after.worldRecord == r.ID}
	if after.best[r.PlayerID] == r.ID {
		want.Rank = after.ranks[r.PlayerID]
	}
	for player, rank := range before.ranks {
		if player != r.PlayerID && rank < after.ranks[player] {
			want.MovedDown++
		}
	}
	loser := ""
	if got := effects.Restoration; got != nil && got.Loser != nil {
		loser, got.Loser = got.Loser.ID, nil
	}
	if diff := cmp.Diff(&want, effects.Restoration); diff != "" {
		t.Errorf("effects of restoring %+v (-want +got):\n%s", r, diff)
	}
	if want.WorldRecord && loser != before.worldRecord {
		t.Errorf("restoring %+v takes the world record from %q, want %q", r, loser, before.worldRecord)
	}
}

// standing is a leaderboard by players.
type standing struct {
	ranks       map[string]int64
	best        map[string]string
	worldRecord string
}

func ranksOf(t *testing.T, w *world, m record.Map) standing {
	t.Helper()
	s := standing{ranks: map[string]int64{}, best: map[string]string{}}
	page, err := w.Leaderboard(t.Context(), record.Leaderboard{MapID: m.ID, Page: record.Page{Limit: 100}})
	require.NoError(t, err)
	for _, r := range page.Records {
		s.ranks[r.PlayerID], s.best[r.PlayerID] = r.Rank, r.ID
		if r.IsWorldRecord {
			s.worldRecord = r.ID
		}
	}
	return s
}

func TestStore_HidingEffects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, n, alone, gone := w.newMap("m", racetime.Medals{}), w.newMap("n", racetime.Medals{}),
		w.newMap("alone", racetime.Medals{}), w.newMap("gone", racetime.Medals{})
	a, b := w.newPlayer("a"), w.newPlayer("b")
	w.submitted(m, b, 900)
	w.submitted(m, a, 1000)
	w.submitted(m, a, 800)
	w.submitted(n, a, 700)
	w.submitted(n, b, 600)
	w.submitted(alone, a, 500)
	w.submitted(gone, a, 500)
	require.NoError(t, w.ApplyMap(t.Context(), record.Map{ID: gone.ID, Version: 2, Removed: true}))
	check := func(p record.Player, want record.HidingEffects) {
		t.Helper()
		got, err := w.HidingEffects(t.Context(), p.ID)
		require.NoError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("effects (-want +got):\n%s", diff)
		}
	}
	check(a, record.HidingEffects{Records: 4, Maps: 3, WorldRecords: 2, GivenBack: 1})
	check(b, record.HidingEffects{Records: 2, Maps: 2, WorldRecords: 1, GivenBack: 1})
	check(w.newPlayer("c"), record.HidingEffects{})
	require.NoError(t, w.setHidden(a, true))
	check(a, record.HidingEffects{Hidden: true, Records: 4, Maps: 3, WorldRecords: 2, GivenBack: 1})
	check(b, record.HidingEffects{Records: 2, Maps: 2, WorldRecords: 2, GivenBack: 0})
}

func TestStore_MapEffects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.newMap("m", racetime.Medals{Author: 500, Gold: 600, Silver: 700, Bronze: 800})
	without := w.newMap("without medals", racetime.Medals{})
	var players []record.Player
	for i, time := range []int{500, 533, 600, 633, 800, 833} {
		players = append(players, w.newPlayer(fmt.Sprint("player", i)))
		w.submitted(m, players[i], time)
		w.submitted(without, players[i], time)
	}
	w.submitted(m, players[5], 900)
	check := func(id string, want record.MapEffects) {
		t.Helper()
		got, err := w.MapEffects(t.Context(), id)
		require.NoError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("effects (-want +got):\n%s", diff)
		}
	}
	check(m.ID, record.MapEffects{
		Records: 7, Players: 6, Medals: event.MedalCounts{Author: 1, Gold: 2, Silver: 1, Bronze: 1},
	})
	check(without.ID, record.MapEffects{Records: 6, Players: 6})
	counts, err := w.CountMedals(t.Context(), m.ID, racetime.Medals{Author: 499, Gold: 533, Silver: 700, Bronze: 900},
		players[1].ID)
	require.NoError(t, err)
	if diff := cmp.Diff(event.MedalCounts{Gold: 1, Silver: 2, Bronze: 2}, counts); diff != "" {
		t.Errorf("medals by other times, without a player (-want +got):\n%s", diff)
	}
	require.NoError(t, w.ApplyMap(t.Context(), record.Map{ID: m.ID, Version: 2, Removed: true}))
	check(m.ID, record.MapEffects{Removed: true, Records: 7, Players: 6})
	if _, err := w.MapEffects(t.Context(), newID()); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("an unknown map: %v", err)
	}
}
