package postgres_test

import (
	"fmt"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// A submission does not wait for a computation, and a large leaderboard rests after one.
func TestStore_ComputePoints_large_leaderboard(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(4, 6)
	w.computePoints(someThresholds, noon)
	later := noon.Add(15 * time.Second)
	pgtest.Exec(t, w.pool, `update points_maps set due_at = $2 where map_id = $1`, maps[0].ID, later)
	large, usual := w.submitted(maps[0], players[5], 500), w.submitted(maps[1], players[5], 500)
	pointsOn := func(r record.Record) int {
		return pgtest.Value[int](t, w.pool, `select points from record_points where map_id = $1 and player_id = $2`,
			r.MapID, r.PlayerID)
	}
	_, err := w.ComputePoints(t.Context(), someThresholds, noon)
	w.must(err)
	if got := [2]int{pointsOn(large), pointsOn(usual)}; got != [2]int{60, 2000} {
		t.Errorf("before the large leaderboard was computed: %v, want [60 2000]", got)
	}
	standings, err := w.PlayerStandings(t.Context(), players[5].ID, "", someThresholds, noon)
	w.must(err)
	waits := pgtest.Value[time.Time](t, w.pool, `select min(at) from points_changes`)
	if !standings.AsOf.Equal(waits) {
		t.Errorf("the points are as of %v, want %v, when the large leaderboard changed", standings.AsOf, waits)
	}

	tx := w.locking(
		`select from points_maps for update`, `select from points_state for update`, `delete from points_changes`,
		`lock table record_points, rankings in exclusive mode`,
	)
	w.submitted(maps[0], players[4], 400) // while a computation holds all of its locks
	w.must(tx.Rollback(t.Context()))
	w.computePoints(someThresholds, later)
	if got := pointsOn(large); got != 1484 {
		t.Errorf("on the large leaderboard: %d points, want 1484", got)
	}
	standings, err = w.PlayerStandings(t.Context(), players[5].ID, "", someThresholds, noon)
	if w.must(err); time.Since(standings.AsOf) > time.Minute {
		t.Errorf("nothing waits, and the points are as of %v", standings.AsOf)
	}
}

// locking runs statements in a transaction that another one is to wait for.
func (w *world) locking(statements ...string) pgx.Tx {
	w.t.Helper()
	tx, err := w.pool.Begin(w.t.Context())
	w.must(err)
	w.t.Cleanup(func() { _ = tx.Rollback(w.t.Context()) })
	for _, sql := range statements {
		_, err := tx.Exec(w.t.Context(), sql)
		w.must(err)
	}
	return tx
}

// computeBehind computes points while a transaction holds locks, calls do as soon as the computation waits for them,
// and releases the locks.
func (w *world) computeBehind(lock pgx.Tx, do func()) {
	w.t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := w.ComputePoints(w.t.Context(), someThresholds, noon)
		done <- err
	}()
	eventually.WaitFor(w.t, "the computation waits", func() bool { return w.waiting() == 1 })
	do()
	w.must(lock.Rollback(w.t.Context()))
	w.must(<-done)
}

// What a record costs others is told where it comes while points are computed.
func TestStore_ComputePoints_during_a_submission(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(3, 5)
	w.computePoints(someThresholds, noon)
	facts[event.PointsChanged](w)
	before := w.pointsOnMap(maps[0], players)

	w.submitted(maps[0], players[4], 1010) // passes all but the first
	// The computation keeps what points were after it has taken its changes.
	lock := w.locking(`lock table points_before in exclusive mode`)
	w.computeBehind(lock, func() { w.submitted(maps[0], players[3], 900) }) // passes everybody
	w.computePoints(someThresholds, noon)

	after := w.pointsOnMap(maps[0], players)
	lost := map[string]int64{}
	for _, f := range facts[event.PointsChanged](w) {
		for _, c := range f.Changes {
			lost[c.PlayerID] += c.Before - c.After
		}
	}
	want := map[string]int64{}
	for i, p := range players {
		if loss := before[i] - after[i]; loss > 0 {
			want[p.ID] = loss
		}
	}
	// These two have won by their own records what they have lost by the other's.
	for _, p := range players[3:] {
		delete(lost, p.ID)
		delete(want, p.ID)
	}
	if diff := gocmp.Diff(want, lost); diff != "" {
		t.Errorf("lost points (-want +got):\n%s", diff)
	}
}

// A change is as old as its record, so that "as of" a later time means that the record is in the points. One that was
// accepted long ago changes points now.
func TestStore_PlayerStandings_as_of(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(3, 4)
	w.computePoints(someThresholds, noon)
	for _, tt := range []struct {
		name string
		age  time.Duration
		kept bool
	}{
		{"a new record", 5 * time.Second, true},
		{"a better record", time.Second, true},
		{"a record of yesterday", 24 * time.Hour, false},
		{"a record of a clock that is ahead", -time.Hour, false},
	} {
		began := pgtest.Value[time.Time](t, w.pool, `select now()`)
		player := players[3]
		if tt.name == "a new record" {
			player = w.newPlayer("new")
		}
		r := w.record(maps[0], player, 500-w.made)
		r.CreatedAt = began.Add(-tt.age).Truncate(time.Millisecond)
		_, err := w.submit(r)
		w.must(err)
		standings, err := w.PlayerStandings(t.Context(), player.ID, "", someThresholds, noon)
		w.must(err)
		if kept := standings.AsOf.Equal(r.CreatedAt); kept != tt.kept {
			t.Errorf("%s of %v: points are as of %v", tt.name, r.CreatedAt, standings.AsOf)
		}
		if !tt.kept && (standings.AsOf.Before(began) || time.Since(standings.AsOf) < -time.Minute) {
			t.Errorf("%s changes points at %v, want about %v", tt.name, standings.AsOf, began)
		}
		w.computePoints(someThresholds, noon)
		standings, err = w.PlayerStandings(t.Context(), player.ID, "", someThresholds, noon)
		if w.must(err); standings.AsOf.Before(began) {
			t.Errorf("%s was computed, and points are as of %v", tt.name, standings.AsOf)
		}
	}
}

// A change before the day is stored belongs to that day, also after midnight.
func TestStore_ComputePoints_at_midnight(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(3, 4)
	w.computePoints(someThresholds, noon)
	midnight := day.AddDate(0, 0, 1)
	changed := func() (days []string) {
		return pgtest.Value[[]string](t, w.pool, `
			select array_agg(distinct to_char(day, 'MM-DD') order by to_char(day, 'MM-DD')) from points_before
			where day > $1`, day)
	}
	_, err := w.StoreDay(t.Context(), midnight)
	w.must(err)
	for i, tt := range []struct {
		computed, stored time.Time
		want             string
	}{
		{midnight.Add(time.Minute), midnight.Add(2 * time.Minute), "05-12"},
		{midnight.Add(24*time.Hour - time.Second), midnight, "05-12"},
		{midnight.Add(24*time.Hour + time.Second), midnight.Add(24*time.Hour + 2*time.Second), "05-12"},
		{midnight.Add(24*time.Hour + time.Minute), midnight, "05-13"},
		// A process whose clock is a second behind the one that has stored the day.
		{midnight.Add(24*time.Hour - time.Second), midnight, "05-13"},
		// After the service was stopped for days.
		{midnight.AddDate(0, 0, 5), midnight.AddDate(0, 0, 5), "05-16"},
	} {
		pgtest.Exec(t, w.pool, `delete from points_before`)
		w.submitted(maps[0], players[(i+1)%4], 900-33*i)
		w.computePoints(someThresholds, tt.computed)
		if got := fmt.Sprint(changed()); got != "["+tt.want+"]" {
			t.Errorf("computed at %v: a change of %s, want %s", tt.computed, got, tt.want)
		}
		_, err := w.StoreDay(t.Context(), tt.stored)
		w.must(err)
	}
}

// A day is stored after the changes of the day are computed, or ten minutes later.
func TestStore_StoreDay_waits_for_changes(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(3, 4)
	w.computePoints(someThresholds, noon)
	midnight := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	w.submitted(maps[0], players[3], 900) // before midnight
	for _, tt := range []struct {
		at   time.Time
		want int
	}{{midnight.Add(time.Minute), 0}, {midnight.Add(11 * time.Minute), 4}} {
		if got, err := w.StoreDay(t.Context(), tt.at); err != nil || got != tt.want {
			t.Errorf("at %v the days of %d players are stored, %v; want %d", tt.at, got, err, tt.want)
		}
	}
	midnight = midnight.AddDate(0, 0, 1)
	_, err := w.StoreDay(t.Context(), midnight.Add(time.Minute))
	require.NoError(t, err)
	w.computePoints(someThresholds, midnight)
	if got, err := w.StoreDay(t.Context(), midnight.Add(2*time.Minute)); err != nil || got == 0 {
		t.Errorf("after the computation the days of %d players are stored, %v", got, err)
	}
}

// Points that were computed with other thresholds are as of no time, and those of a map wait for its players.
func TestStore_as_of_other_points(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(3, 4)
	w.computePoints(someThresholds, noon)
	asOf := func(thresholds points.Thresholds) (all [3]time.Time) {
		ranking, err := w.Ranking(t.Context(), points.Ranking{Period: points.AllTime, Kind: points.ByPoints},
			leaderboard.Page{Limit: 1}, thresholds, noon)
		w.must(err)
		standings, err := w.PlayerStandings(t.Context(), players[0].ID, "", thresholds, noon)
		w.must(err)
		_, ofMap, err := w.MapFinishers(t.Context(), maps[0].ID, thresholds)
		w.must(err)
		return [3]time.Time{ranking.AsOf, standings.AsOf, ofMap}
	}
	for _, at := range asOf(points.Thresholds{Finishers: 9, Maps: 3, Authors: 2}) {
		if !at.Equal(time.Unix(0, 0)) {
			t.Errorf("points with other thresholds are as of %v", at)
		}
	}
	before := pgtest.Value[time.Time](t, w.pool, `select now()`)
	banned := players[3]
	banned.Version, banned.Banned = 2, true
	w.must(w.ApplyPlayer(t.Context(), banned))
	after := pgtest.Value[time.Time](t, w.pool, `select now()`)
	for _, at := range asOf(someThresholds) {
		if at.Before(before) || at.After(after) {
			t.Errorf("while an opponent is banned, points are as of %v, want a time between %v and %v", at, before, after)
		}
	}
}
