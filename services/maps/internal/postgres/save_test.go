package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Whatever the order of concurrent changes, the counts of tags are those of the maps.
func TestStore_tag_counts(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	ctx := t.Context()
	var group errgroup.Group
	group.SetLimit(8)
	for n := range 40 {
		group.Go(func() error {
			_, err := store.Submit(ctx, newMap(n, func(m *parkourmap.Map) {
				m.AuthorID, m.Tags = playerID(n%4), []string{fmt.Sprintf("tag %d", n%5), "all"}
			}))
			if err != nil {
				return err
			}
			switch n % 4 {
			case 0:
				return moderate(ctx, store, access.RemoveMap, mapID(n), "root", "x")
			case 1:
				return reassign(ctx, store, mapID(n), playerID((n+1)%4))
			default:
				if n == 19 {
					return store.Rebuild(ctx)
				}
				return store.ApplyStats(ctx, event.MapStats{MapID: mapID(n), Version: 1, Records: int64(n)})
			}
		})
	}
	require.NoError(t, group.Wait())
	checkTagCounts(t, pool)
	assert.Equal(t, "maps are listed by their records", 30,
		pgtest.Value[int](t, pool, "select count(*) from map_stats where listed"))
}

// checkTagCounts compares the stored counts of tags with the tags of the maps.
func checkTagCounts(t *testing.T, pool *postgres.Pool) {
	t.Helper()
	type count struct {
		Tag  string
		Maps int64
	}
	want := pgtest.Rows[count](t, pool, `
		select tag, count(*) as maps from maps cross join unnest(tags) as tag
		where removed_at is null and not superseded group by tag order by tag`)
	got := pgtest.Rows[count](t, pool, "select tag, maps from tag_counts where maps <> 0 order by tag")
	assert.Equal(t, "counts of tags", want, got)
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
