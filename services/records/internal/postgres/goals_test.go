package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// wantEasiest compares the names of the easiest maps that a player has not finished.
func (w *world) wantEasiest(p record.Player, now time.Time, want ...string) {
	w.t.Helper()
	maps, err := w.EasiestUnplayed(w.t.Context(), p.ID, now)
	w.must(err)
	var got []string
	for _, m := range maps {
		got = append(got, m.Name)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		w.t.Errorf("easiest maps (-want +got):\n%s", diff)
	}
}

func TestStore_EasiestUnplayed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var players []record.Player
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		players = append(players, w.newPlayer(name))
	}
	// finished makes a map that the first players have finished, each a second slower than the one before.
	finished := func(name string, bronze, fastest, count int) record.Map {
		medals := racetime.Medals{}
		if bronze > 0 {
			medals = racetime.Medals{Author: 1, Gold: 1, Silver: 1, Bronze: bronze}
		}
		m := w.newMap(name, medals)
		for i := range count {
			w.submitted(m, players[i], fastest+1000*i)
		}
		return m
	}
	newcomer := w.newPlayer("newcomer")
	w.wantEasiest(newcomer, day)
	finished("three of five", 12_000, 10_000, 5)
	short := finished("all of five, short", 20_000, 10_000, 5)
	finished("all of five, long", 90_000, 60_000, 5)
	finished("no medal times", 0, 10_000, 5)
	four := finished("all of four", 20_000, 5000, 4)
	finished("no players", 20_000, 0, 0)
	all := []string{"all of five, short", "all of five, long", "three of five", "no medal times", "all of four"}
	w.wantEasiest(newcomer, day, all...)

	first := w.submitted(short, newcomer, 30_000)
	w.wantEasiest(newcomer, day, append(all[1:], "no players")...)
	w.must(w.PutAside(t.Context(), newcomer.ID, four.ID, day.Add(time.Hour)))
	w.wantEasiest(newcomer, day, append(all[1:4:4], "no players")...)
	w.wantEasiest(newcomer, day.Add(time.Hour), append(all[1:], "no players")...)
	w.remove(first)
	w.wantEasiest(newcomer, day, append(all[:4:4], "no players")...)

	short.Version, short.Superseded = 2, true
	w.must(w.ApplyMap(t.Context(), short))
	w.wantEasiest(newcomer, day, append(all[1:4:4], "no players")...)
	w.wantEasiest(players[0], day, "no players")
}

func TestStore_PurgePutAside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.newPlayer("p")
	for i := range 3 {
		w.must(w.PutAside(t.Context(), p.ID, w.newMap("m", racetime.Medals{}).ID, day.Add(time.Duration(i)*time.Hour)))
	}
	if n, err := w.PurgePutAside(t.Context(), day.Add(time.Hour)); err != nil || n != 2 {
		t.Errorf("purged %d, %v; want 2", n, err)
	}
	left := pgtest.Value[time.Time](t, w.pool, "select until from goals_put_aside")
	if want := day.Add(2 * time.Hour); !left.Equal(want) {
		t.Errorf("until %v is left, want %v", left, want)
	}
}

func TestStore_ApplyPlayer_deleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ann, ben, m := w.newPlayer("ann"), w.newPlayer("ben"), w.newMap("m", racetime.Medals{})
	w.submitted(m, ann, 900)
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, p := range []record.Player{ann, ben} {
		w.must(w.PutAside(t.Context(), p.ID, m.ID, now.Add(time.Hour)))
	}
	ann.Version, ann.Name, ann.Deleted = ann.Version+1, "deleted player 3f2a", true
	for range 2 { // a message may come twice
		w.must(w.ApplyPlayer(t.Context(), ann))
	}
	w.wantLeaderboard(m, "1 deleted player 3f2a 900")
	owner := pgtest.Value[string](t, w.pool, "select player_id::text from goals_put_aside")
	if owner != ben.ID {
		t.Errorf("what is put aside is %s's, want %s's", owner, ben.ID)
	}
	if err := w.PutAside(t.Context(), ann.ID, m.ID, now.Add(time.Hour)); !errors.Is(err, event.ErrPlayerDeleted) {
		t.Errorf("putting aside for the deleted player returned %v", err)
	}
	w.merge(ben, ann)
	if n := pgtest.Value[int](t, w.pool, "select count(*) from goals_put_aside"); n != 0 {
		t.Errorf("%d goals are put aside for the deleted player", n)
	}
	if got, err := w.Player(t.Context(), ann.ID); err != nil || !got.Deleted {
		t.Errorf("the copy is %+v, %v", got, err)
	}
}
