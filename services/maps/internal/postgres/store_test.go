package postgres_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

func TestStore_audit_log(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	ctx := t.Context()
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store, newMap(1))
	rain := parkourmap.Player{ID: playerID(2), Name: "Rain"}
	require.NoError(t, store.Reassign(ctx, by("ops", "her map"), mapID(1), rain, changedAt))
	require.NoError(t, moderate(ctx, store, access.RemoveMap, mapID(1), "ops", "stolen"))
	require.NoError(t, moderate(ctx, store, access.UnrankMap, mapID(1), "ops", "a shortcut"))
	require.NoError(t, moderate(ctx, store, access.RankMap, mapID(1), "ops", "a mistake"))
	// A refused act leaves none.
	checkError(t, "removed twice", parkourmap.ErrAlreadyRemoved, moderate(ctx, store, access.RemoveMap, mapID(1), "ops", "x"))
	type row struct {
		Actor, Action, Subject, Reason string
		Before, After                  map[string]any
	}
	m := func(author int, removed, unranked bool) map[string]any {
		return map[string]any{
			"name": "Map 1", "gameMapId": 1001.0, "mapVersion": 1.0, "authorId": playerID(author),
			"removed": removed, "unranked": unranked,
		}
	}
	want := []row{
		{"ops", "reassign map", mapID(1), "her map", m(1, false, false), m(2, false, false)},
		{"ops", "remove map", mapID(1), "stolen", m(2, false, false), m(2, true, false)},
		{"ops", "unrank map", mapID(1), "a shortcut", m(2, true, false), m(2, true, true)},
		{"ops", "rank map", mapID(1), "a mistake", m(2, true, true), m(2, true, false)},
	}
	assert.Equal(t, "audit", want, pgtest.Rows[row](t, pool,
		"select actor, action, subject, reason, before, after from audit order by id"))
	// All files of a removed map are kept.
	assert.Equal(t, "files are released", 0, pgtest.Value[int](t, pool, "select count(*) from pending_uploads"))
	assert.Equal(t, "maps with data", 1, pgtest.Value[int](t, pool, "select count(*) from map_data"))
}

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
				to := parkourmap.Player{ID: playerID((n + 1) % 4)}
				return store.Reassign(ctx, by("root", ""), mapID(n), to, changedAt)
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

func TestStore_Rebuild(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	for n := range 5 {
		create(t, store, newMap(n, tagged("speed")))
	}
	remove(t, store, 0)
	pgtest.Exec(t, pool, "truncate map_stats")
	pgtest.Exec(t, pool, "update tag_counts set maps = 99")
	require.NoError(t, store.Rebuild(t.Context()))
	checkTagCounts(t, pool)
	assert.Equal(t, "maps are listed by their records", 4,
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

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	_, pool := setup(t)
	pgtest.WantPlayerColumns(t, pool, maps.PlayerColumns, "map_id", "world_record_id", "undoes")
}

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, maps.PlayerColumns, maps.Exports, maps.NotExported)
}
