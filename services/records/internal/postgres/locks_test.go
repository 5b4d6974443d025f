package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

// Every change of leaderboards and totals locks in one order: the map, then the players' totals by their ids. So a
// transaction that holds one of these rows can lock all that come after it, because a change that waits for the row
// holds none of them.
func TestStore_lock_order(t *testing.T) {
	t.Parallel()
	const small, large = 0, 1 // the players, by their ids
	mapRow := func(c *crossing) locked { return locked{"map_totals", "map_id", c.maps[0]} }
	playerRow := func(n int) func(c *crossing) locked {
		return func(c *crossing) locked { return locked{"player_totals", "player_id", c.players[n]} }
	}
	for _, tt := range []struct {
		name  string
		act   func(ctx context.Context, c *crossing) error
		order []func(c *crossing) locked
	}{
		{
			"a merge into a larger id",
			func(ctx context.Context, c *crossing) error { return c.merge(ctx, small, large) },
			[]func(c *crossing) locked{mapRow, playerRow(small), playerRow(large)},
		},
		{
			"a merge into a smaller id",
			func(ctx context.Context, c *crossing) error { return c.merge(ctx, large, small) },
			[]func(c *crossing) locked{mapRow, playerRow(small), playerRow(large)},
		},
		{
			"a map that is removed",
			func(ctx context.Context, c *crossing) error { return c.removeMap(ctx, 0) },
			[]func(c *crossing) locked{mapRow, playerRow(small), playerRow(large)},
		},
		{
			"a submission",
			func(ctx context.Context, c *crossing) error { return c.add(ctx, c.finish(0, large, 20_000)) },
			[]func(c *crossing) locked{mapRow, playerRow(large)},
		},
		{
			"a record that is removed",
			func(ctx context.Context, c *crossing) error { return c.remove(ctx, c.early[0]) },
			[]func(c *crossing) locked{mapRow, playerRow(small)},
		},
		{
			"a record that is restored",
			func(ctx context.Context, c *crossing) error {
				if err := c.remove(ctx, c.early[0]); err != nil && !errors.Is(err, record.ErrAlreadyRemoved) {
					return err
				}
				_, err := c.ModerateRecord(ctx, moderation(access.RestoreRecord, c.early[0]))
				return err
			},
			[]func(c *crossing) locked{mapRow, playerRow(small)},
		},
		{
			"world records that are rebuilt",
			func(ctx context.Context, c *crossing) error { return c.RebuildWorldRecords(ctx) },
			[]func(c *crossing) locked{mapRow},
		},
	} {
		for i, row := range tt.order {
			t.Run(fmt.Sprintf("%s, from place %d", tt.name, i+1), func(t *testing.T) {
				t.Parallel()
				c := newCrossing(t, 1, 2)
				tx, err := c.pool.Begin(t.Context())
				require.NoError(t, err)
				defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
				row(c).lock(t, tx, "for update")
				done := make(chan error, 1)
				go func() { done <- tt.act(t.Context(), c) }()
				eventually.WaitFor(t, "a transaction that waits for the row", func() bool { return c.waiting() > 0 })
				for _, later := range tt.order[i+1:] {
					later(c).lock(t, tx, "for update nowait")
				}
				require.NoError(t, tx.Commit(t.Context()))
				if err := <-done; err != nil {
					t.Error(err)
				}
				c.wantConsistent()
			})
		}
	}
}

// locked is a row that is there.
type locked struct{ table, key, id string }

func (l locked) lock(t *testing.T, tx pgx.Tx, how string) {
	t.Helper()
	tag, err := tx.Exec(t.Context(), "select from "+l.table+" where "+l.key+" = $1 "+how, l.id)
	if err != nil || tag.RowsAffected() != 1 {
		t.Fatalf("lock %d rows of %s: %v", tag.RowsAffected(), l.table, err)
	}
}

// All changes run concurrently, and nothing is counted twice or not at all.
func TestStore_concurrent_changes(t *testing.T) {
	t.Parallel()
	c := newCrossing(t, 4, 7)
	merges := map[int]int{0: 3, 6: 3, 5: 1, 2: 5, 4: 3} // to larger and to smaller ids, and in a chain
	c.atOnce(func(add func(what string, do func(ctx context.Context) error)) {
		for round := range 4 {
			for m := range c.maps {
				for player := range c.players {
					r := c.finish(m, player, 30_000-33*round)
					add("submit", func(ctx context.Context) error {
						err := c.add(ctx, r)
						if errors.Is(err, record.ErrMapRemoved) {
							return nil
						}
						return err
					})
				}
			}
		}
		for _, id := range c.early {
			add("remove", func(ctx context.Context) error { return c.remove(ctx, id) })
		}
		for range 2 { // several replicas may get the same event concurrently
			for from, into := range merges {
				add("merge", func(ctx context.Context) error { return c.merge(ctx, from, into) })
			}
			for m := range 2 {
				add("remove map", func(ctx context.Context) error { return c.removeMap(ctx, m) })
			}
			add("republish", func(ctx context.Context) error { _, err := c.Republish(ctx); return err })
		}
	})
	c.wantConsistent()
	for from := range merges {
		if n := pgtest.Value[int](t, c.pool, `select count(*) from records where player_id = $1`, c.players[from]); n != 0 {
			t.Errorf("%d records are left with player %d", n, from)
		}
	}
}

// crossing has players who have played the same maps.
type crossing struct {
	*world
	maps, players []string // ids, in ascending order
	early         []string // the first record of each player on each map
	made          int
}

func newCrossing(t *testing.T, maps, players int) *crossing {
	t.Helper()
	c := &crossing{world: setup(t)}
	for n := range maps {
		c.maps = append(c.maps, fmt.Sprintf("01970000-0000-7000-8000-0aaa%08d", n))
		if err := c.ApplyMap(t.Context(), record.Map{ID: c.maps[n], Version: 1, Name: "m", GameMapID: int64(n + 1),
			Fingerprint: "f00d"}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range players {
		c.players = append(c.players, fmt.Sprintf("01970000-0000-7000-8000-0bbb%08d", n))
		if err := c.ApplyPlayer(t.Context(), record.Player{ID: c.players[n], Version: 1, Name: fmt.Sprint("p", n),
			Registered: true}); err != nil {
			t.Fatal(err)
		}
	}
	for m := range maps {
		for player := range players {
			first, second := c.finish(m, player, 40_000), c.finish(m, player, 40_033)
			require.NoError(t, errors.Join(c.add(t.Context(), first), c.add(t.Context(), second)))
			c.early = append(c.early, first.ID)
		}
	}
	return c
}

// finish makes a record with a replay and a time stamp of its own.
func (c *crossing) finish(m, player, finish int) record.Record {
	c.made++
	at := time.Date(2026, 5, 11, 0, 0, 0, c.made*int(time.Millisecond), time.UTC)
	return record.Record{
		ID: fmt.Sprintf("01970000-0000-7000-8000-0ccc%08d", c.made), MapID: c.maps[m], PlayerID: c.players[player],
		FinishTime: finish, FinishTimeStamp: at, ReplayHash: fmt.Sprintf("%064x", c.made), CreatedAt: at,
	}
}

func (c *crossing) add(ctx context.Context, r record.Record) error {
	_, err := c.Submit(ctx, record.Accepted{Record: r, Replay: c.upload()})
	return err
}

func (c *crossing) remove(ctx context.Context, id string) error {
	_, err := c.ModerateRecord(ctx, moderation(access.RemoveRecord, id))
	return err
}

func (c *crossing) merge(ctx context.Context, from, into int) error {
	return c.ApplyPlayer(ctx, record.Player{ID: c.players[from], Version: 2, Removed: true, MergedInto: c.players[into]})
}

func (c *crossing) removeMap(ctx context.Context, m int) error {
	return c.ApplyMap(ctx, record.Map{ID: c.maps[m], Version: 2, Removed: true})
}

// atOnce runs all that is added in random order, 8 at a time.
func (c *crossing) atOnce(collect func(add func(what string, do func(ctx context.Context) error))) {
	c.t.Helper()
	var actions []func()
	collect(func(what string, do func(ctx context.Context) error) {
		actions = append(actions, func() {
			if err := do(c.t.Context()); err != nil {
				c.t.Errorf("%s: %v", what, err)
			}
		})
	})
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(actions), func(i, j int) { actions[i], actions[j] = actions[j], actions[i] })
	var group errgroup.Group
	group.SetLimit(8)
	for _, act := range actions {
		group.Go(func() error {
			act()
			return nil
		})
	}
	_ = group.Wait()
}

// wantConsistent compares all that is counted with the records.
func (w *world) wantConsistent() {
	w.t.Helper()
	type row struct {
		ID string
		N  int64
	}
	const active = `(
		select r.* from records r join maps m on m.id = r.map_id left join player_totals t on t.player_id = r.player_id
		where r.removed_at is null and not m.removed and not coalesce(t.hidden, false)) s`
	for what, sql := range map[string][2]string{
		"personal bests": {
			`select distinct on (map_id, player_id) id, finish_time::bigint as n from ` + active + `
				order by map_id, player_id, finish_time, seq`,
			`select record_id as id, finish_time::bigint as n from personal_bests order by map_id, player_id`,
		},
		"records of a personal best": {
			`select map_id || ' ' || player_id as id, count(*) as n from ` + active + ` group by 1 order by 1`,
			`select map_id || ' ' || player_id as id, records::bigint as n from personal_bests order by 1`,
		},
		"records of maps": {
			`select map_id::text as id, count(*) as n from ` + active + ` group by 1 order by 1`,
			`select map_id::text as id, records as n from map_totals where records > 0 order by 1`,
		},
		"players of maps": {
			`select map_id::text as id, count(distinct player_id) as n from ` + active + ` group by 1 order by 1`,
			`select map_id::text as id, players::bigint as n from map_totals where players > 0 order by 1`,
		},
		"records of players": {
			`select player_id::text as id, count(*) as n from ` + active + ` group by 1 order by 1`,
			`select player_id::text as id, records as n from player_totals where records > 0 order by 1`,
		},
		"world records": {
			`select id, finish_time::bigint as n from (
				select *, min(finish_time) over (
					partition by map_id order by seq rows between unbounded preceding and 1 preceding) as fastest from ` + active + `
			) s where finish_time < coalesce(fastest, finish_time + 1) order by id`,
			`select record_id as id, finish_time::bigint as n from world_records
				where map_id in (select id from maps where not removed) order by record_id`,
		},
		"rank counts by finish time": {
			`select map_id || ' ' || finish_time as id, count(*) as n from personal_bests group by 1 order by 1`,
			`select map_id || ' ' || finish_time as id, players::bigint as n from rank_counts where step = 1 order by 1`,
		},
		"rank counts by five seconds": {
			`select map_id || ' ' || finish_time / 5000 * 5000 as id, count(*) as n from personal_bests group by 1 order by 1`,
			`select map_id || ' ' || finish_time as id, players::bigint as n from rank_counts where step = 5000 order by 1`,
		},
	} {
		want, got := pgtest.Rows[row](w.t, w.pool, sql[0]), pgtest.Rows[row](w.t, w.pool, sql[1])
		if diff := cmp.Diff(want, got); diff != "" {
			w.t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
}
