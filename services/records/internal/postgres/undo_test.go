package postgres_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

// What was removed or hidden, and comes back, leaves everything as in a database in which that never happened, whatever
// comes in between: submissions, merges, new versions, records that are removed permanently.
func TestStore_undone(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			changed, untouched := newWorld(t), newWorld(t)
			both := func(do func(w *world) error) {
				t.Helper()
				errChanged, errUntouched := do(changed), do(untouched)
				if errChanged != nil || errUntouched != nil {
					t.Fatalf("errors: %v, %v", errChanged, errUntouched)
				}
			}
			random := rand.New(rand.NewPCG(seed, 7))
			var maps []record.Map
			var players []record.Player
			addMap := func(gameMapID int64) {
				m := record.Map{ID: newID(), Version: 1, Name: fmt.Sprint("map ", len(maps)), GameMapID: gameMapID,
					Fingerprint: fmt.Sprint(len(maps)), MapVersion: 1, Medals: racetime.Medals{Author: 2000}}
				maps = append(maps, m)
				both(func(w *world) error { return w.ApplyMap(t.Context(), m) })
			}
			for i := range int64(2) {
				addMap(i)
			}
			for i := range 6 {
				p := record.Player{ID: newID(), Version: 1, Name: fmt.Sprint("player ", i), Registered: true}
				players = append(players, p)
				both(func(w *world) error { return w.ApplyPlayer(t.Context(), p) })
			}
			merged, hidden := map[string]bool{}, map[string]bool{}
			removed, removedForGood := map[string]bool{}, map[string]bool{}
			var submitted []record.Record
			for range 150 {
				m, p := &maps[random.IntN(len(maps))], players[random.IntN(len(players))]
				switch n := random.IntN(20); {
				case n < 2:
					m.Version++
					m.Removed = !m.Removed
					require.NoError(t, changed.ApplyMap(t.Context(), *m))
				case n < 4 && !merged[p.ID]:
					require.NoError(t, changed.setHidden(p, !hidden[p.ID]))
					hidden[p.ID] = !hidden[p.ID]
				case n < 7 && len(submitted) > 0:
					r := submitted[random.IntN(len(submitted))]
					switch {
					case removedForGood[r.ID]:
					case removed[r.ID]:
						changed.restore(r)
						removed[r.ID] = false
					case random.IntN(3) == 0:
						both(func(w *world) error { w.remove(r); return nil })
						removedForGood[r.ID] = true
					default:
						changed.remove(r)
						removed[r.ID] = true
					}
				case n == 7 && len(maps) < 5:
					addMap(int64(random.IntN(2)))
				case n == 8:
					into := players[random.IntN(len(players))]
					if into.ID == p.ID || merged[into.ID] || merged[p.ID] {
						continue
					}
					both(func(w *world) error { return w.ApplyPlayer(t.Context(), tombstone(p, into)) })
					merged[p.ID] = true
					hidden[into.ID] = hidden[into.ID] || hidden[p.ID]
				case !merged[p.ID] && !hidden[p.ID] && !m.Removed:
					r := changed.record(*m, p, 1000+33*random.IntN(40))
					both(func(w *world) error { _, err := w.submit(r); return err })
					submitted = append(submitted, r)
				}
			}
			for _, r := range submitted {
				if removed[r.ID] {
					changed.restore(r)
				}
			}
			for i := range maps {
				if maps[i].Removed {
					maps[i].Version++
					maps[i].Removed = false
					require.NoError(t, changed.ApplyMap(t.Context(), maps[i]))
				}
			}
			for _, p := range players {
				if hidden[p.ID] && !merged[p.ID] {
					require.NoError(t, changed.setHidden(p, false))
				}
			}
			if diff := cmp.Diff(untouched.everything(maps, players, submitted),
				changed.everything(maps, players, submitted), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-never happened +undone):\n%s", diff)
			}
			for _, table := range []string{
				"personal_bests order by map_id, player_id",
				"(select map_id, step, finish_time, players from rank_counts) c order by 1, 2, 3",
				// The order of acceptance is the same, but its numbers are not: a refused insert takes one, too.
				"(select map_id, finish_time, record_id, since from world_records) w order by 1, 2",
				"(select map_id, records, players from map_totals where records > 0) t order by 1",
				"(select player_id, records, hidden from player_totals where records > 0) t order by 1",
			} {
				type row struct{ Text string }
				sql := "select t::text as text from (select * from " + table + ") t"
				if diff := cmp.Diff(pgtest.Rows[row](t, untouched.pool, sql), pgtest.Rows[row](t, changed.pool, sql)); diff != "" {
					t.Errorf("%s (-never happened +undone):\n%s", table, diff)
				}
			}
		})
	}
}

// everything returns the answers to all queries.
func (w *world) everything(maps []record.Map, players []record.Player, submitted []record.Record) map[string]any {
	w.t.Helper()
	ctx, page := w.t.Context(), record.Page{Limit: 1000}
	all := map[string]any{}
	for _, m := range maps {
		leaderboard, err := w.Leaderboard(ctx, record.Leaderboard{MapID: m.ID, Page: page})
		w.must(err)
		for i := range leaderboard.Records {
			leaderboard.Records[i].Map = record.Map{}
		}
		all["leaderboard of "+m.Name] = leaderboard
		history, err := w.WorldRecords(ctx, m.ID)
		w.must(err)
		all["history of "+m.Name] = record.NewHistory(history)
	}
	for _, playerID := range append([]string{""}, pluckIDs(players)...) {
		for _, sort := range []record.Sort{record.Newest, {By: record.ByTime}} {
			list, err := w.List(ctx, record.List{PlayerID: playerID, Sort: sort, Page: page})
			w.must(err)
			all[fmt.Sprint("list of ", playerID, sort)] = list
		}
	}
	newest, err := w.NewestWorldRecords(ctx, 1000)
	w.must(err)
	all["newest world records"] = newest
	stats, err := w.Stats(ctx)
	w.must(err)
	all["totals"] = stats
	for _, r := range submitted {
		details, err := w.Details(ctx, r.ID)
		details.RankAtSubmission = 0 // what it was then, with the records that counted then
		all["record "+r.ID] = []any{details, fmt.Sprint(err)}
	}
	return all
}

func pluckIDs(players []record.Player) (ids []string) {
	for _, p := range players {
		ids = append(ids, p.ID)
	}
	return ids
}

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
	p := w.newPlayer("a")
	w.submitted(w.newMap("first", racetime.Medals{}), p, 900)
	var wg sync.WaitGroup
	accepted := make(chan record.Record, 40)
	for i := range cap(accepted) {
		r := w.record(w.newMap(fmt.Sprint(i), racetime.Medals{}), p, 900)
		wg.Go(func() {
			_, err := w.submit(r)
			if err == nil {
				accepted <- r
			} else if !errors.Is(err, record.ErrPlayerHidden) {
				t.Error(err)
			}
		})
	}
	eventually.WaitFor(t, "some records", func() bool { return len(accepted) > 2 })
	w.must(w.setHidden(p, true))
	wg.Wait()
	close(accepted)
	w.wantStats(record.Stats{Maps: 41, Players: 1})
	w.must(w.setHidden(p, false))
	w.wantStats(record.Stats{Maps: 41, Players: 1, Records: int64(1 + len(accepted))})
	if _, err := w.submit(w.record(record.Map{ID: newID()}, p, 900)); errors.Is(err, event.ErrPlayerMerged) {
		t.Error(err)
	}
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
	pgtest.WantPlayerColumns(t, newWorld(t).pool, slices.Collect(maps.Keys(records.PlayerColumns)), "map_id", "record_id")
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
