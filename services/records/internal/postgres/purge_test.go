package postgres_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

func TestStore_PurgeReplays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now().UTC()
	// When each record was removed; the zero value is an active one.
	for hash, removed := range map[string]time.Time{
		"active": {}, "of yesterday": now.Add(-24 * time.Hour),
		"old": now.Add(-400 * 24 * time.Hour), "older": now.Add(-500 * 24 * time.Hour),
		"oldest": now.Add(-600 * 24 * time.Hour),
	} {
		r := record.Record{
			ID: uuid.NewString(), MapID: uuid.NewString(), PlayerID: uuid.NewString(),
			FinishTime: 1000, FinishTimeStamp: now, ReplayHash: hash, CreatedAt: now,
		}
		if _, err := w.submit(r); err != nil {
			t.Fatal(err)
		}
		if removed.IsZero() {
			continue
		}
		by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
		if _, err := w.Remove(t.Context(), r.ID, by); err != nil {
			t.Fatal(err)
		}
		pgtest.Exec(t, w.pool, `update records set removed_at = $2 where id = $1`, r.ID, removed)
	}
	purge := func(want int) {
		t.Helper()
		count, err := w.PurgeReplays(t.Context(), now.Add(-365*24*time.Hour), 2,
			func(hash string) string { return "replays/" + hash })
		if err != nil || count != want {
			t.Errorf("purged %d (%v), want %d", count, err, want)
		}
	}
	type note struct{ Key string }
	released := func() []note {
		return pgtest.Rows[note](t, w.pool, `select key from pending_uploads order by key`)
	}
	purge(2)
	if diff := cmp.Diff([]note{{"replays/older"}, {"replays/oldest"}}, released()); diff != "" {
		t.Errorf("released first (-want +got):\n%s", diff)
	}
	purge(1)
	purge(0)
	if diff := cmp.Diff([]note{{"replays/old"}, {"replays/older"}, {"replays/oldest"}}, released()); diff != "" {
		t.Errorf("released (-want +got):\n%s", diff)
	}
	for hash, want := range map[string]bool{"active": true, "of yesterday": true, "old": false, "oldest": false} {
		err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
			used, err := w.UsesReplay(t.Context(), tx, hash)
			if used != want {
				t.Errorf("a record uses %q: %v, want %v", hash, used, want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if existing, err := w.FindDuplicate(t.Context(),
			record.Record{MapID: uuid.NewString(), PlayerID: uuid.NewString(), ReplayHash: hash}); err != nil {
			t.Errorf("%q is not refused any more: %+v, %v", hash, existing, err)
		}
	}
}

// A duplicate waits for the row that refuses it while that row's replay is purged. The purge
// waits for no lock, so that the two never wait for each other.
func TestStore_PurgeReplays_duringSubmissions(t *testing.T) {
	t.Parallel()
	c := newCrossing(t, 2, 3)
	var removed []record.Record
	for _, id := range c.early {
		rec, err := c.Remove(t.Context(), id, access.Attribution{Actor: access.Operator("root"), Reason: "a test"})
		if err != nil {
			t.Fatal(err)
		}
		removed = append(removed, rec)
	}
	pgtest.Exec(t, c.pool, `update records set removed_at = now() - interval '2 years' where removed_at is not null`)

	var adds sync.WaitGroup
	submitAgain := sync.OnceFunc(func() {
		for _, rec := range removed[:2] { // the pool has 5 connections
			rec.ID = uuid.NewString()
			adds.Go(func() {
				if err := c.add(t.Context(), rec); !errors.Is(err, record.ErrReplayExists) {
					t.Errorf("a duplicate of a removed record: %v", err)
				}
			})
		}
		eventually.WaitFor(t, "a submission that waits for the rows", func() bool { return c.waiting() > 0 })
	})
	count, err := c.PurgeReplays(t.Context(), time.Now().Add(-365*24*time.Hour), len(removed), func(hash string) string {
		submitAgain()
		return "replays/" + hash
	})
	if err != nil || count != len(removed) {
		t.Errorf("purged %d (%v), want %d", count, err, len(removed))
	}
	adds.Wait()
	c.wantConsistent()
}
