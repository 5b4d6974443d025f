package postgres_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

func TestStore_RemovalEffects(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, gone := w.newMap("m", racetime.Medals{}), w.newMap("gone", racetime.Medals{})
	a, b, c := w.newPlayer("a"), w.newPlayer("b"), w.newPlayer("c")
	onlyOne := w.submitted(gone, a, 900)
	slow, mid := w.submitted(m, a, 1000), w.submitted(m, b, 900)
	third := w.submitted(m, c, 950)
	fast := w.submitted(m, a, 800)
	successor := func(r record.Record, p record.Player) *leaderboard.OtherRecord {
		return &leaderboard.OtherRecord{ID: r.ID, FinishTime: r.FinishTime, Player: record.Player{
			ID: p.ID, Name: p.Name, SkinImageURL: p.SkinImageURL, SkinColor: p.SkinColor,
		}}
	}
	check := func(r record.Record, want leaderboard.RemovalEffects) {
		t.Helper()
		got, err := w.RemovalEffects(t.Context(), r.ID)
		require.NoError(t, err)
		assert.Equal(t, "effects", want, got)
	}
	restored := func(rank, movedDown int64, takesFrom *leaderboard.OtherRecord) leaderboard.RemovalEffects {
		return leaderboard.RemovalEffects{Restoration: &leaderboard.RestorationEffects{
			Rank: rank, MovedDown: movedDown, WorldRecord: takesFrom != nil, Present: takesFrom,
		}}
	}
	check(fast, leaderboard.RemovalEffects{MovedUp: 2, NextBest: true, WorldRecord: true, Successor: successor(mid, b)})
	check(mid, leaderboard.RemovalEffects{MovedUp: 1})
	check(third, leaderboard.RemovalEffects{})
	check(slow, leaderboard.RemovalEffects{}) // no personal best
	check(onlyOne, leaderboard.RemovalEffects{WorldRecord: true})
	w.remove(mid)
	check(mid, restored(2, 1, nil)) // already
	check(fast, leaderboard.RemovalEffects{MovedUp: 1, NextBest: true, WorldRecord: true, Successor: successor(third, c)})
	require.NoError(t, w.setHidden(c, true))
	check(third, leaderboard.RemovalEffects{})
	check(fast, leaderboard.RemovalEffects{NextBest: true, WorldRecord: true, Successor: successor(slow, a)})
	w.remove(fast)
	check(fast, restored(1, 0, successor(slow, a)))
	w.remove(third)
	check(third, restored(0, 0, nil)) // of a hidden player
	w.remove(slow)
	nobodys := restored(1, 0, nil)
	nobodys.Restoration.WorldRecord = true
	check(slow, nobodys)
	require.NoError(t, w.ApplyMap(t.Context(), record.Map{ID: gone.ID, Version: 2, Removed: true}))
	check(onlyOne, leaderboard.RemovalEffects{})
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
	w := setup(t)
	m, a, b := w.newMap("m", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	first, between, second := w.record(m, a, 1000), w.record(m, b, 1000), w.record(m, a, 1000)
	between.FinishTimeStamp = first.FinishTimeStamp.Add(-time.Hour)
	second.FinishTimeStamp = first.FinishTimeStamp.Add(-2 * time.Hour)
	check := func(want leaderboard.RemovalEffects) {
		t.Helper()
		got, err := w.RemovalEffects(t.Context(), first.ID)
		require.NoError(t, err)
		got.Successor = nil
		if got.Restoration != nil {
			got.Restoration.Present = nil
		}
		assert.Equal(t, "effects", want, got)
	}
	restored := func(rank int64) leaderboard.RemovalEffects {
		return leaderboard.RemovalEffects{Restoration: &leaderboard.RestorationEffects{Rank: rank, WorldRecord: true}}
	}
	for _, r := range []record.Record{first, second} {
		_, err := w.submit(r)
		require.NoError(t, err)
	}
	check(leaderboard.RemovalEffects{NextBest: true, WorldRecord: true})
	w.remove(first)
	check(restored(1))
	w.restore(first)
	_, err := w.submit(between)
	require.NoError(t, err)
	check(leaderboard.RemovalEffects{NextBest: true, WorldRecord: true})
	w.remove(first)
	w.wantLeaderboard(m, "1 a 1000", "2 b 1000")
	check(restored(2))
	w.restore(first)
	w.wantLeaderboard(m, "1 b 1000", "2 a 1000")
}

func TestStore_HidingEffects(t *testing.T) {
	t.Parallel()
	w := setup(t)
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
	check := func(p record.Player, want leaderboard.HidingEffects) {
		t.Helper()
		got, err := w.HidingEffects(t.Context(), p.ID)
		require.NoError(t, err)
		assert.Equal(t, "effects", want, got)
	}
	check(a, leaderboard.HidingEffects{Records: 4, Maps: 3, WorldRecords: 2, GivenBack: 1})
	check(b, leaderboard.HidingEffects{Records: 2, Maps: 2, WorldRecords: 1, GivenBack: 1})
	check(w.newPlayer("c"), leaderboard.HidingEffects{})
	require.NoError(t, w.setHidden(a, true))
	check(a, leaderboard.HidingEffects{Hidden: true, Records: 4, Maps: 3, WorldRecords: 2, GivenBack: 1})
	check(b, leaderboard.HidingEffects{Records: 2, Maps: 2, WorldRecords: 2, GivenBack: 0})
}

func TestStore_MapEffects(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m := w.newMap("m", racetime.Medals{Author: 500, Gold: 600, Silver: 700, Bronze: 800})
	without := w.newMap("without medals", racetime.Medals{})
	var players []record.Player
	for i, time := range []int{500, 533, 600, 633, 800, 833} {
		players = append(players, w.newPlayer(fmt.Sprint("player", i)))
		w.submitted(m, players[i], time)
		w.submitted(without, players[i], time)
	}
	w.submitted(m, players[5], 900)
	check := func(id string, want leaderboard.MapEffects) {
		t.Helper()
		got, err := w.MapEffects(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, "effects", want, got)
	}
	check(m.ID, leaderboard.MapEffects{
		Records: 7, Players: 6, Medals: event.MedalCounts{Author: 1, Gold: 2, Silver: 1, Bronze: 1},
	})
	check(without.ID, leaderboard.MapEffects{Records: 6, Players: 6})
	counts, err := w.CountMedals(t.Context(), m.ID, racetime.Medals{Author: 499, Gold: 533, Silver: 700, Bronze: 900},
		players[1].ID)
	require.NoError(t, err)
	assert.Equal(t, "medals by other times, without a player", event.MedalCounts{Gold: 1, Silver: 2, Bronze: 2}, counts)
	require.NoError(t, w.ApplyMap(t.Context(), record.Map{ID: m.ID, Version: 2, Removed: true}))
	check(m.ID, leaderboard.MapEffects{Removed: true, Records: 7, Players: 6})
	if _, err := w.MapEffects(t.Context(), newID()); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("an unknown map: %v", err)
	}
}
