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
	var purged []string
	for _, want := range []int{3, 0} { // two in the first transaction
		count, err := w.PurgeReplays(t.Context(), now, 2, func(hash string) string {
			purged = append(purged, hash)
			return "replays/" + hash
		})
		released := pgtest.Rows[note](t, w.pool, `select key from pending_uploads order by key`)
		wantReleased := []note{{"replays/old"}, {"replays/older"}, {"replays/oldest"}}
		if diff := cmp.Diff(wantReleased, released); diff != "" || err != nil || count != want {
			t.Errorf("purged %d, %v, want %d; released (-want +got):\n%s", count, err, want, diff)
		}
	}
	if len(purged) != 3 || purged[2] != "old" {
		t.Errorf("purged %q, want the longest removed ones first", purged)
	}
	for hash, want := range map[string]bool{"active": true, "of yesterday": true, "old": false, "oldest": false} {
		w.must(pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
			used, err := w.UsesReplay(t.Context(), tx, hash)
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
	count, err := c.PurgeReplays(t.Context(), time.Now(), len(removed), func(hash string) string {
		submitAgain()
		return "replays/" + hash
	})
	if err != nil || count != len(removed) {
		t.Errorf("purged %d (%v), want %d", count, err, len(removed))
	}
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
