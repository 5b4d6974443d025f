package postgres_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/copies"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

// A transaction that waits for a merge has not locked the player's maps, so that no two transactions wait for each
// other in a circle.
func TestStore_locks_players_before_maps(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(ctx context.Context, store *maps.Store) error{
		"a map is reassigned": func(ctx context.Context, store *maps.Store) error {
			return store.Reassign(ctx, by("ops", "her map"), mapID(1), parkourmap.Player{ID: playerID(2)}, changedAt)
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

// A transaction that waits for a tag has not locked one after it, also where the tags are of two versions.
func TestStore_locks_tags_in_order(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, newMap(9, tagged("air")), versionOf(1, tagged("zen")))
	tx := begin(t, pool)
	const lockTagSQL = "select from tag_counts where tag = $1 for update nowait"
	lock(t, tx, lockTagSQL, "air")
	done := make(chan error, 1)
	go func() {
		_, err := store.Submit(context.WithoutCancel(t.Context()), versionOf(2, tagged("air")))
		done <- err
	}()
	eventually.WaitFor(t, "a transaction waits for a lock", func() bool { return pgtest.Waiting(t, pool) > 0 })
	lock(t, tx, lockTagSQL, "zen")
	commit(t, tx)
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
	_, err := tx.Exec(t.Context(), sql, id)
	require.NoError(t, err)
}
