package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// mapNumber is the id of the nth map of a test.
func mapNumber(n int) string { return fmt.Sprintf("01970000-0000-7000-8000-0aaa%08x", n) }

// runNumber is a run of its own moment.
func runNumber(n, onMap, ofPlayer, finishTime int) record.Run {
	return record.Run{
		ID: uuid.NewSHA1(uuid.Nil, fmt.Append(nil, n)).String(), MapID: mapNumber(onMap), PlayerID: playerID(ofPlayer),
		FinishTime: finishTime, FinishTimeStamp: time.UnixMilli(int64(n)).UTC(), ReplayHash: fmt.Sprint(n), CreatedAt: time.UnixMilli(int64(n)).UTC(),
	}
}

func additionsOf(t *testing.T, runs ...record.Run) []*addition {
	t.Helper()
	return column(runs, func(r record.Run) *addition {
		a, err := newAddition(t.Context(), record.Addition{Run: r, Replay: settled{}})
		if err != nil {
			t.Fatal(err)
		}
		return a
	})
}

// alone adds runs one after the other.
func (s *Records) alone(t *testing.T, runs ...record.Run) (standings []record.Standing) {
	t.Helper()
	for _, a := range additionsOf(t, runs...) {
		standing, err := s.addAlone(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		standings = append(standings, standing)
	}
	return standings
}

// everything returns what the database knows of runs, as text.
func everything(t *testing.T, pool *postgres.Pool) map[string][]string {
	t.Helper()
	tables := map[string][]string{}
	for table, sql := range map[string]string{
		"runs":          "select row(id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at)::text as line from runs",
		"bests":         "select bests::text as line from bests",
		"stretches":     "select stretches::text as line from stretches where players > 0",
		"frames":        "select frames::text as line from frames where players > 0",
		"map_totals":    "select map_totals::text as line from map_totals",
		"player_totals": "select player_totals::text as line from player_totals",
		"outbox":        "select row(subject, version, convert_from(body, 'utf8')::jsonb - 'id' - 'at', headers)::text as line from outbox",
	} {
		rows, err := pool.Query(t.Context(), sql+" order by line")
		if err != nil {
			t.Fatal(err)
		}
		if tables[table], err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			t.Fatal(err)
		}
	}
	var runs string
	if err := pool.QueryRow(t.Context(), "select coalesce(sum(count), 0)::text from site_totals where total = 'runs'").Scan(&runs); err != nil {
		t.Fatal(err)
	}
	tables["site_totals"] = []string{runs}
	return tables
}

func TestRunsThatAreAddedTogetherDoWhatEachDoesAlone(t *testing.T) {
	t.Parallel()
	one, other := pgtest.Open(t, "records", migrations.FS), pgtest.Open(t, "records", migrations.FS)
	alone, together := NewRecords(one), NewRecords(other)
	const maps, players = 4, 6
	n := 0
	for m := range maps { // who is new is added alone
		for p := range players {
			if (m+p)%2 == 0 {
				n++
				first := runNumber(n, m, p, 60_000+100*m+p)
				alone.alone(t, first)
				together.alone(t, first)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		var runs []record.Run
		on, of := r.Perm(maps), r.Perm(players)
		for i := range 1 + r.IntN(maps) {
			n++
			runs = append(runs, runNumber(n, on[i], of[i], 40_000+r.IntN(60)*r.IntN(500)))
		}
		want := alone.alone(t, runs...)
		got, err := together.addTogether(t.Context(), additionsOf(t, runs...))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("the standings of %+v differ (-alone +together):\n%s", runs, diff)
		}
	}
	if diff := cmp.Diff(everything(t, one), everything(t, other)); diff != "" {
		t.Errorf("what is kept differs (-alone +together):\n%s", diff)
	}
}

// One run is not like the others: nothing of a common transaction stays, and then
// each gets what it would have got.
func TestARunThatIsRefusedHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		odd     record.Run
		pending []objectstore.Upload
		prepare string
		want    error
	}{
		"on a map that was taken down": {
			odd:     runNumber(100, 2, 2, 50_000),
			prepare: `insert into maps (id, version, removed) values ('` + mapNumber(2) + `', 1, true)`,
			want:    record.ErrMapRemoved,
		},
		"of a player who was merged": {
			odd:     runNumber(100, 2, 2, 50_000),
			prepare: `insert into players (id, version, removed, merged_into) values ('` + playerID(2) + `', 1, true, '` + playerID(7) + `')`,
			want:    record.ErrPlayerMerged,
		},
		"that was handed in before": {
			odd: func() record.Run {
				again := runNumber(3, 2, 2, 60_000)
				again.ID = uuid.NewString()
				return again
			}(),
			want: record.ErrReplayExists,
		},
		"on a new map":    {odd: runNumber(100, 20, 2, 50_000)},
		"of a new player": {odd: runNumber(100, 2, 20, 50_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.Open(t, "records", migrations.FS)
			s := NewRecords(pool)
			for i := range 4 {
				s.alone(t, runNumber(1+i, i, i, 60_000))
			}
			if _, err := pool.Exec(t.Context(), c.prepare); err != nil {
				t.Fatal(err)
			}
			before := everything(t, pool)
			all := additionsOf(t, runNumber(50, 0, 0, 50_000), c.odd, runNumber(51, 1, 1, 70_000))
			all[1].pending = c.pending
			if _, err := s.addTogether(t.Context(), all); !errors.Is(err, errAlone) {
				t.Errorf("together they get %v, want errAlone", err)
			}
			if diff := cmp.Diff(before, everything(t, pool)); diff != "" {
				t.Errorf("something of it is left (-before +after):\n%s", diff)
			}

			outcomes := make([]error, len(all))
			var group sync.WaitGroup
			for i, a := range all {
				group.Go(func() { _, outcomes[i] = s.Add(t.Context(), a.Addition) })
			}
			group.Wait()
			for i, want := range []error{nil, c.want, nil} {
				if !errors.Is(outcomes[i], want) {
					t.Errorf("run %d got %v, want %v", i, outcomes[i], want)
				}
			}
		})
	}
}

// Where another transaction holds a map, the runs on all others are kept meanwhile.
func TestAMapThatIsLockedHoldsNoOtherUp(t *testing.T) {
	t.Parallel()
	s := NewRecords(pgtest.Open(t, "records", migrations.FS))
	s.alone(t, runNumber(1, 0, 0, 60_000), runNumber(2, 1, 1, 60_000))
	onLocked, added := make(chan error, 1), make(chan error, 1)
	err := postgres.InTx(t.Context(), s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		lockMap(batch, mapNumber(0))
		if err := tx.SendBatch(t.Context(), batch).Close(); err != nil {
			return err
		}
		for onMap, done := range map[int]chan error{0: onLocked, 1: added} {
			go func() {
				_, err := s.Add(context.WithoutCancel(t.Context()), record.Addition{Run: runNumber(10+onMap, onMap, onMap, 50_000), Replay: settled{}})
				done <- err
			}()
		}
		return <-added
	})
	if err := errors.Join(err, <-onLocked); err != nil {
		t.Error(err)
	}
}

func TestManyRunsAtOnceAreAllKept(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	replicas := []*Records{NewRecords(pool), NewRecords(pool)}
	var group sync.WaitGroup
	for writer := range 16 {
		group.Go(func() {
			for i := range 25 {
				n := 25*writer + i
				run := runNumber(n, n%7, writer%5, 40_000+n*37%9_000)
				if _, err := replicas[writer%2].Add(t.Context(), record.Addition{Run: run, Replay: settled{}}); err != nil {
					t.Errorf("run %d: %v", n, err)
				}
			}
		})
	}
	group.Wait()
	var onMaps, ofPlayers, versions []int
	for sql, into := range map[string]*[]int{
		"select runs::int from map_totals": &onMaps, "select runs::int from player_totals": &ofPlayers,
		"select (count(*) - max(version))::int from outbox where version > 0 group by subject": &versions,
	} {
		rows, err := pool.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		if *into, err = pgx.CollectRows(rows, pgx.RowTo[int]); err != nil {
			t.Fatal(err)
		}
	}
	if got := [...]int{sum(onMaps), sum(ofPlayers)}; got != [...]int{400, 400} {
		t.Errorf("%d runs are counted on maps and of players, want 400 each", got)
	}
	if slices.ContainsFunc(versions, func(missing int) bool { return missing != 0 }) {
		t.Errorf("versions are missing or told twice: %v", versions)
	}
}

func sum(all []int) (total int) {
	for _, n := range all {
		total += n
	}
	return total
}
