package postgres_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

// One finish on several versions of a map at the same instant, by two players, is accepted once.
func TestStore_Submit_on_versions_at_once(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	players := []record.Player{w.newPlayer("a"), w.newPlayer("b")}
	var versions []record.Map
	for i := range 6 {
		m := record.Map{ID: newID(), Version: 1, Name: "m", GameMapID: 7, MapVersion: i + 1, Fingerprint: fmt.Sprint(i)}
		w.must(w.ApplyMap(t.Context(), m))
		versions = append(versions, m)
	}
	for round := range 20 {
		finish := w.record(versions[0], players[0], 900+33*round)
		var wg sync.WaitGroup
		errs := make([]error, len(versions))
		for i, m := range versions {
			r := w.record(m, players[i%2], finish.FinishTime)
			r.FinishTimeStamp = finish.FinishTimeStamp
			wg.Go(func() { _, errs[i] = w.submit(r) })
		}
		wg.Wait()
		accepted := 0
		for _, err := range errs {
			switch {
			case err == nil:
				accepted++
			case !errors.Is(err, record.ErrReplayExists) && !errors.Is(err, record.ErrReplayCopied):
				t.Error(err)
			}
		}
		if accepted != 1 {
			t.Fatalf("round %d: %d of %d were accepted", round, accepted, len(versions))
		}
	}
}

// A submission that waits for the player's total sees that the player was hidden meanwhile.
func TestStore_Hide_while_submitting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
	w.submitted(m, p, 900)
	lock := w.locking(`lock table personal_bests in share mode`)
	w.whileWaiting(lock,
		func() error { return w.setHidden(p, true) },
		func() error {
			_, err := w.submit(w.record(m, p, 800))
			if !errors.Is(err, record.ErrPlayerHidden) {
				return fmt.Errorf("a submission: %w", err)
			}
			return nil
		})
	w.wantLeaderboard(m)
}

// whileWaiting calls first while a transaction holds a lock that it needs, and second as soon as first waits. It
// releases the lock when both wait.
func (w *world) whileWaiting(lock pgx.Tx, first, second func() error) {
	w.t.Helper()
	var both sync.WaitGroup
	both.Go(func() {
		if err := first(); err != nil {
			w.t.Errorf("the first: %v", err)
		}
	})
	eventually.WaitFor(w.t, "the first waits", func() bool { return w.waiting() == 1 })
	both.Go(func() {
		if err := second(); err != nil {
			w.t.Errorf("the second: %v", err)
		}
	})
	eventually.WaitFor(w.t, "both wait", func() bool { return w.waiting() == 2 })
	w.must(lock.Rollback(w.t.Context()))
	both.Wait()
}

// A map that a merge gives to a player while the player becomes hidden is hidden, too.
func TestStore_Hide_while_merging(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	from, into := w.newPlayer("from"), w.newPlayer("into")
	own, other := w.newMap("own", racetime.Medals{}), w.newMap("other", racetime.Medals{})
	w.submitted(own, into, 800)
	w.submitted(other, from, 900)
	lock := w.locking(`lock table personal_bests in share mode`)
	w.whileWaiting(lock,
		func() error { return w.ApplyPlayer(t.Context(), tombstone(from, into)) },
		func() error { return w.setHidden(into, true) })
	w.wantLeaderboard(own)
	w.wantLeaderboard(other)
}

// The first record of a map of a hidden player counts where the player is shown meanwhile.
func TestStore_Show_while_submitting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.newPlayer("a")
	w.submitted(w.newMap("first", racetime.Medals{}), p, 900)
	w.must(w.setHidden(p, true))
	m := w.newMap("new", racetime.Medals{})
	accepted := record.Accepted{Record: w.record(m, p, 700), GameMapID: m.GameMapID, Replay: w.upload(), First: true}
	lock := w.locking(`lock table outbox in share mode`)
	w.whileWaiting(lock,
		func() error { _, err := w.Submit(t.Context(), accepted); return err },
		func() error { return w.setHidden(p, false) })
	w.wantLeaderboard(m, "1 a 700")
	if fact := outboxtest.Last[event.RecordSubmitted](t, w.pool); fact.RecordID != accepted.Record.ID {
		t.Errorf("published %+v", fact)
	}
}

// All columns that hold players are in the list of what a merge does.
func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	pgtest.WantPlayerColumns(t, newWorld(t).pool, records.PlayerColumns, "map_id", "record_id")
}

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, records.PlayerColumns, records.Exports, records.NotExported)
}

// While a map is restored, its first record is neither active nor inactive: it is submitted again later.
func TestStore_Submit_first_record_of_a_map_that_is_being_restored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
	pgtest.Exec(t, w.pool, "update maps set removed = true, restoring = true where id = $1", m.ID)
	accepted := record.Accepted{Record: w.record(m, p, 700), GameMapID: m.GameMapID, Replay: w.upload(), First: true}
	if _, err := w.Submit(t.Context(), accepted); err == nil || problem.IsPermanent(err) {
		t.Errorf("returned %v, want what another attempt may change", err)
	}
	w.must(w.ApplyMap(t.Context(), m))
	_, err := w.Submit(t.Context(), accepted)
	w.must(err)
	w.wantLeaderboard(m, "1 p 700")
}
