package postgres_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
	maps "capzone.dev/services/maps/internal/postgres"
)

// A transaction that waits for a player has not locked the player's maps, so that no two
// transactions wait for each other in a circle.
func TestStore_locksPlayersBeforeMaps(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(ctx context.Context, store *maps.Store) error{
		"a map is reassigned": func(ctx context.Context, store *maps.Store) error {
			return store.Reassign(ctx, parkourmaptest.MapID(1), parkourmap.Player{ID: parkourmaptest.PlayerID(2)},
				changedAt, by("ops", "her map"))
		},
		"its author is merged": func(ctx context.Context, store *maps.Store) error {
			return store.ApplyPlayer(ctx, parkourmap.Player{ID: parkourmaptest.PlayerID(1), Version: 2, Removed: true,
				MergedInto: parkourmaptest.PlayerID(2)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, pool := setup(t)
			for n, name := range map[int]string{1: "cloudstep", 2: "Rain"} {
				require.NoError(t, store.ApplyPlayer(t.Context(),
					parkourmap.Player{ID: parkourmaptest.PlayerID(n), Version: 1, Name: name}))
			}
			if _, err := store.Submit(t.Context(), parkourmaptest.NewMap(1)); err != nil {
				t.Fatal(err)
			}
			tx, err := pool.Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
			lock(t, tx, "select from players where id = $1 for update", parkourmaptest.PlayerID(2))
			done := make(chan error, 1)
			go func() { done <- act(t.Context(), store) }()
			eventually.WaitFor(t, "a transaction waits for a lock", func() bool { return pgtest.Waiting(t, pool) > 0 })
			lock(t, tx, "select from maps where id = $1 for update nowait", parkourmaptest.MapID(1))
			require.NoError(t, tx.Commit(t.Context()))
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// A transaction that waits for a tag has not locked one after it, also where the tags are of two versions.
func TestStore_locksTagsInOrder(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, parkourmaptest.NewMap(9, tagged("air")), versionOf(1, tagged("zen")))
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	const lockTagSQL = "select from tag_counts where tag = $1 for update nowait"
	lock(t, tx, lockTagSQL, "air")
	done := make(chan error, 1)
	go func() {
		_, err := store.Submit(context.WithoutCancel(t.Context()), versionOf(2, tagged("air")))
		done <- err
	}()
	eventually.WaitFor(t, "a transaction waits for a lock", func() bool { return pgtest.Waiting(t, pool) > 0 })
	lock(t, tx, lockTagSQL, "zen")
	require.NoError(t, tx.Commit(t.Context()))
	if err := <-done; err != nil {
		t.Error(err)
	}
	checkTagCounts(t, pool)
	if tags, err := store.PopularTags(t.Context(), 20); err != nil || !slices.Equal(tags, []string{"air"}) {
		t.Errorf("popular tags: %v, %v", tags, err)
	}
}

func lock(t *testing.T, tx pgx.Tx, sql, id string) {
	t.Helper()
	if _, err := tx.Exec(t.Context(), sql, id); err != nil {
		t.Fatal(err)
	}
}
