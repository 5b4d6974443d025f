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
	"capzone.dev/services/records/internal/record"
)

func TestReplaysOfRemovedRunsAreForgottenInTheEnd(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	now := time.Now().UTC()
	// How long ago each run was removed; the zero value stands.
	for hash, removed := range map[string]time.Time{
		"stands": {}, "of yesterday": now.Add(-24 * time.Hour),
		"old": now.Add(-400 * 24 * time.Hour), "older": now.Add(-500 * 24 * time.Hour), "oldest": now.Add(-600 * 24 * time.Hour),
	} {
		r := record.Run{
			ID: uuid.NewString(), MapID: uuid.NewString(), PlayerID: uuid.NewString(),
			FinishTime: 1000, FinishTimeStamp: now, ReplayHash: hash, CreatedAt: now,
		}
		if _, err := s.Add(t.Context(), record.Addition{Run: r, Replay: upload(hash)}); err != nil {
			t.Fatal(err)
		}
		if removed.IsZero() {
			continue
		}
		if _, err := s.Remove(t.Context(), r.ID, record.Attribution{Operator: "root", Reason: "a test"}); err != nil {
			t.Fatal(err)
		}
		pgtest.Exec(t, s.pool, `update runs set removed_at = $2 where id = $1`, r.ID, removed)
	}
	forget := func(want int) {
		t.Helper()
		count, err := s.ForgetReplays(t.Context(), now.Add(-365*24*time.Hour), 2, func(hash string) string { return "replays/" + hash })
		if err != nil || count != want {
			t.Errorf("forgot %d (%v), want %d", count, err, want)
		}
	}
	type note struct{ Key string }
	released := func() []note {
		return pgtest.Rows[note](t, s.pool, `select key from pending_uploads order by key`)
	}
	forget(2)
	if diff := cmp.Diff([]note{{"replays/older"}, {"replays/oldest"}}, released()); diff != "" {
		t.Errorf("left to the sweeper first (-want +got):\n%s", diff)
	}
	forget(1)
	forget(0)
	if diff := cmp.Diff([]note{{"replays/old"}, {"replays/older"}, {"replays/oldest"}}, released()); diff != "" {
		t.Errorf("left to the sweeper (-want +got):\n%s", diff)
	}
	for hash, want := range map[string]bool{"stands": true, "of yesterday": true, "old": false, "oldest": false} {
		err := pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
			named, err := s.NamesReplay(t.Context(), tx, hash)
			if named != want {
				t.Errorf("a run names %q: %v, want %v", hash, named, want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if twin, err := s.Twin(t.Context(), record.Run{MapID: uuid.NewString(), ReplayHash: hash}); err != nil {
			t.Errorf("%q is not refused any more: %+v, %v", hash, twin, err)
		}
	}
}

// A run that comes again waits for the row that refuses it while that one's replay is
// let go. Letting go waits for nobody, so that the two never wait for each other.
func TestRunsComeAgainWhileTheirReplaysAreForgotten(t *testing.T) {
	t.Parallel()
	c := newCrossing(t, 2, 3)
	var removed []record.Run
	for _, id := range c.early {
		run, err := c.store.Remove(t.Context(), id, record.Attribution{Operator: "root", Reason: "a test"})
		if err != nil {
			t.Fatal(err)
		}
		removed = append(removed, run)
	}
	pgtest.Exec(t, c.store.pool, `update runs set removed_at = now() - interval '2 years' where removed_at is not null`)

	var adds sync.WaitGroup
	comeAgain := sync.OnceFunc(func() {
		for _, run := range removed {
			run.ID = uuid.NewString()
			adds.Go(func() {
				if err := c.add(t.Context(), run); !errors.Is(err, record.ErrReplayExists) {
					t.Errorf("the replay of a removed run came again: %v", err)
				}
			})
		}
		eventually.That(t, "somebody waits for the rows", func() bool { return c.waiting() > 0 })
	})
	count, err := c.store.ForgetReplays(t.Context(), time.Now().Add(-365*24*time.Hour), len(removed), func(hash string) string {
		comeAgain()
		return "replays/" + hash
	})
	if err != nil || count != len(removed) {
		t.Errorf("forgot %d (%v), want %d", count, err, len(removed))
	}
	adds.Wait()
	c.wantConsistent()
}
