package postgres_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

func checkReferenced(t *testing.T, store *maps.Store, pool *postgres.Pool, key string, want bool) {
	t.Helper()
	err := postgres.InTx(t.Context(), pool, func(tx pgx.Tx) error {
		got, err := store.IsReferenced(t.Context(), tx, key)
		if got != want {
			t.Errorf("IsReferenced(%q) = %v, want %v", key, got, want)
		}
		return err
	})
	require.NoError(t, err)
}

func TestStore_Republish(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	for n := range 3 {
		create(t, store, newMap(n))
	}
	remove(t, store, 2)
	before := left(t, pool).States
	pgtest.Exec(t, pool, "truncate outbox")
	n, err := store.Republish(t.Context())
	if err != nil || n != 3 {
		t.Fatalf("republished %d, %v", n, err)
	}
	want := slices.Concat(before[:2], before[3:])
	assert.Equal(t, "states", want, left(t, pool).States)
}

// A transaction that waits for a merge has not locked the player's maps, so that no two transactions wait for each
// other in a circle.
func TestStore_locks_players_before_maps(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(ctx context.Context, store *maps.Store) error{
		"a map is reassigned": func(ctx context.Context, store *maps.Store) error {
			return reassign(ctx, store, mapID(1), playerID(2))
		},
		"its author is merged": func(ctx context.Context, store *maps.Store) error {
			return store.ApplyPlayer(ctx, parkourmap.Player{ID: playerID(1), Version: 2, Removed: true,
				MergedInto: playerID(2)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, pool := setup(t)
			take(t, store, 1, "cloudstep")
			take(t, store, 2, "Rain")
			create(t, store, newMap(1))
			tx := begin(t, pool)
			_, err := tx.Exec(t.Context(), copies.LockMergesSQL)
			require.NoError(t, err)
			done := make(chan error, 1)
			go func() { done <- act(t.Context(), store) }()
			eventually.WaitFor(t, "a transaction waits for a lock", func() bool { return pgtest.Waiting(t, pool) > 0 })
			lock(t, tx, "select from maps where id = $1 for update nowait", mapID(1))
			commit(t, tx)
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

func lock(t *testing.T, tx pgx.Tx, sql, id string) {
	t.Helper()
	_, err := tx.Exec(t.Context(), sql, id)
	require.NoError(t, err)
}
