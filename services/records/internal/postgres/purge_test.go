package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

func TestStore_PurgeReplays(t *testing.T) {
	t.Parallel()
	w := setup(t)
	now := time.Now().UTC()
	m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
	for hash, days := range map[string]int{"active": 0, "of yesterday": 1, "old": 400, "older": 500, "oldest": 600} {
		r := w.record(m, p, 1000+days)
		r.ReplayHash = hash
		_, err := w.submit(r)
		w.must(err)
		if days > 0 {
			w.remove(r)
			pgtest.Exec(t, w.pool, `update records set removed_at = $2 where id = $1`, r.ID, now.AddDate(0, 0, -days))
		}
	}
	type note struct{ Key string }
	for _, want := range []int{3, 0} { // one in each transaction
		count, err := w.PurgeReplays(t.Context(), now, 1)
		released := pgtest.Rows[note](t, w.pool, `select key from pending_uploads order by id`)
		// The longest removed ones are released first.
		wantReleased := []note{{record.ReplayKey("oldest")}, {record.ReplayKey("older")}, {record.ReplayKey("old")}}
		if diff := cmp.Diff(wantReleased, released); diff != "" || err != nil || count != want {
			t.Errorf("purged %d, %v, want %d; released (-want +got):\n%s", count, err, want, diff)
		}
	}
	for hash, want := range map[string]bool{"active": true, "of yesterday": true, "old": false, "oldest": false} {
		w.must(pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
			used, err := w.IsReferenced(t.Context(), tx, record.ReplayKey(hash))
			if used != want {
				t.Errorf("a record uses %q: %v, want %v", hash, used, want)
			}
			return err
		}))
		again := record.Record{MapID: m.ID, PlayerID: p.ID, ReplayHash: hash}
		if existing, err := w.FindDuplicate(t.Context(), again); err != nil {
			t.Errorf("%q is not refused any more: %+v, %v", hash, existing, err)
		}
	}
}

// A duplicate waits for the row that refuses it while that row's replay is purged. The purge
// waits for no lock, so that the two never wait for each other.
func TestStore_PurgeReplays_during_submissions(t *testing.T) {
	t.Parallel()
	c := newCrossing(t, 2, 3)
	var removed []record.Record
	for _, id := range c.early {
		rec, err := c.ModerateRecord(t.Context(), moderation(access.RemoveRecord, id))
		require.NoError(t, err)
		removed = append(removed, rec)
	}
	now := time.Now()
	for i, rec := range removed {
		pgtest.Exec(t, c.pool, `update records set removed_at = $2 where id = $1`, rec.ID, now.AddDate(-2, i-1, 0))
	}
	tx, err := c.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	purge := func(now time.Time, want int) {
		if count, err := c.In(tx).PurgeReplays(t.Context(), now, len(removed)); err != nil || count != want {
			t.Errorf("purged %d (%v), want %d", count, err, want)
		}
	}
	purge(now.AddDate(-1, 0, 0), 1)
	var adds sync.WaitGroup
	for _, rec := range removed[:2] { // the pool has 5 connections
		rec.ID = uuid.NewString()
		adds.Go(func() {
			if err := c.add(t.Context(), rec); !errors.Is(err, record.ErrReplayExists) {
				t.Errorf("a duplicate of a removed record: %v", err)
			}
		})
	}
	eventually.WaitFor(t, "a submission that waits for the row", func() bool { return c.waiting() > 0 })
	purge(now, len(removed)-1)
	require.NoError(t, tx.Commit(t.Context()))
	adds.Wait()
	c.wantConsistent()
}

func TestStore_PurgePutAside(t *testing.T) {
	t.Parallel()
	w := setup(t)
	p := w.newPlayer("p")
	for i := range 3 {
		m, until := w.newMap("m", racetime.Medals{}), day.Add(time.Duration(i)*time.Hour)
		w.must(w.PutAside(t.Context(), byPlayer(p.ID), m.ID, until))
	}
	if n, err := w.PurgePutAside(t.Context(), day.Add(time.Hour)); err != nil || n != 2 {
		t.Errorf("purged %d, %v; want 2", n, err)
	}
	left := pgtest.Value[time.Time](t, w.pool, "select until from goals_put_aside")
	if want := day.Add(2 * time.Hour); !left.Equal(want) {
		t.Errorf("until %v is left, want %v", left, want)
	}
}
