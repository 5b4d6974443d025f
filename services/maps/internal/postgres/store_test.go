package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/maps/internal/maptest"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestTheStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	maptest.Contract(t, func(t *testing.T) (maptest.Store, func() maptest.Left) {
		t.Helper()
		store, pool := setup(t)
		return store, func() maptest.Left {
			checkTotals(t, pool)
			return left(t, pool)
		}
	})
}

func TestOperatorsLeaveAuditRows(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	ctx := t.Context()
	for n, name := range map[int]string{1: "cloudstep", 2: "Rain"} {
		if err := store.TakePlayer(ctx, parkourmap.Player{ID: maptest.PlayerID(n), Version: 1, Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Create(ctx, maptest.NewMap(1)); err != nil {
		t.Fatal(err)
	}
	rain := parkourmap.Player{ID: maptest.PlayerID(2), Name: "Rain"}
	if err := store.Reassign(ctx, maptest.MapID(1), rain, parkourmap.Attribution{Operator: "ops", Reason: "her map"}); err != nil {
		t.Fatal(err)
	}
	if err := store.Remove(ctx, maptest.MapID(1), parkourmap.Attribution{Operator: "ops", Reason: "stolen"}); err != nil {
		t.Fatal(err)
	}
	// A refused act leaves none.
	if err := store.Remove(ctx, maptest.MapID(1), parkourmap.Attribution{Operator: "ops", Reason: "again"}); err == nil {
		t.Fatal("removed twice")
	}
	type row struct {
		Actor, Action, Subject, Reason string
		Details                        map[string]any
	}
	want := []row{
		{"ops", "reassign map", maptest.MapID(1), "her map", map[string]any{
			"oldAuthorId": maptest.PlayerID(1), "newAuthorId": maptest.PlayerID(2), "newAuthor": "Rain",
		}},
		{"ops", "remove map", maptest.MapID(1), "stolen", map[string]any{"name": "Map 1", "bonkDbId": 1001.0}},
	}
	if diff := cmp.Diff(want, pgtest.Rows[row](t, pool, "select actor, action, subject, reason, details from audit order by id")); diff != "" {
		t.Errorf("audit (-want +got):\n%s", diff)
	}
	// The pictures are let go, the replay stays for an appeal.
	type key struct{ Key string }
	if diff := cmp.Diff([]key{{"maps/i-480.webp"}, {"maps/i.webp"}}, pgtest.Rows[key](t, pool, "select key from pending_uploads order by key")); diff != "" {
		t.Errorf("released files (-want +got):\n%s", diff)
	}
	if n := pgtest.Value[int](t, pool, "select count(*) from map_data"); n != 1 {
		t.Errorf("the data of %d maps is there, want 1", n)
	}
}

func TestASweeperAsksWhoNamesAFile(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	if _, err := store.Create(t.Context(), maptest.NewMap(1)); err != nil {
		t.Fatal(err)
	}
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	for key, want := range map[string]bool{"maps/i.webp": true, "maps/i-480.webp": true, "replays/r.lbReplay": true, "maps/other.webp": false} {
		if got, err := store.Named(t.Context(), tx, key); err != nil || got != want {
			t.Errorf("Named(%q) = %v, %v, want %v", key, got, err, want)
		}
	}
}

// Maps are made, removed and reassigned while players get new names, record counts
// arrive and an operator rebuilds. Whatever the order, the totals are those of the maps.
func TestTotalsNeverDrift(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	ctx := t.Context()
	var group errgroup.Group
	group.SetLimit(8)
	for n := range 40 {
		group.Go(func() error {
			author := rand.IntN(4)
			if err := store.TakePlayer(ctx, parkourmap.Player{ID: maptest.PlayerID(author), Version: 1, Name: fmt.Sprintf("Player %d", author)}); err != nil {
				return err
			}
			_, err := store.Create(ctx, maptest.NewMap(n, func(m *parkourmap.Map) {
				m.AuthorID, m.Tags = maptest.PlayerID(author), []string{fmt.Sprintf("tag %d", n%5), "all"}
			}))
			if err != nil {
				return err
			}
			switch n % 4 {
			case 0:
				return store.Remove(ctx, maptest.MapID(n), parkourmap.Attribution{Reason: "x"})
			case 1:
				return store.Reassign(ctx, maptest.MapID(n), parkourmap.Player{ID: maptest.PlayerID((author + 1) % 4)}, parkourmap.Attribution{})
			case 2:
				return store.TakePlayer(ctx, parkourmap.Player{ID: maptest.PlayerID(author), Version: int64(n), Name: fmt.Sprintf("New name %d", n)})
			default:
				if n == 19 {
					return store.Reindex(ctx)
				}
				return store.TakeRecords(ctx, maptest.MapID(n), 1, int64(n))
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	checkTotals(t, pool)
	if n := pgtest.Value[int](t, pool, "select count(*) from map_stats where listed"); n != 30 {
		t.Errorf("%d maps are listed by their records, want 30", n)
	}
}

// What is derived can be made again from what is not.
func TestReindex(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	ctx := t.Context()
	if err := store.TakePlayer(ctx, parkourmap.Player{ID: maptest.PlayerID(1), Version: 1, Name: "cloudstep"}); err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		if _, err := store.Create(ctx, maptest.NewMap(n, func(m *parkourmap.Map) { m.Tags = []string{"speed"} })); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Remove(ctx, maptest.MapID(0), parkourmap.Attribution{Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	type row struct {
		ID, SearchKey, AuthorKey string
		Facets                   []string
	}
	const rowsSQL = "select id, search_key, author_key, facets from maps order by id"
	want := pgtest.Rows[row](t, pool, rowsSQL)
	pgtest.Exec(t, pool, "update maps set search_key = 'x', author_key = 'y', facets = '{z}' where removed_at is null")
	pgtest.Exec(t, pool, "truncate map_stats")
	pgtest.Exec(t, pool, "update search_totals set maps = 99")
	if err := store.Reindex(ctx); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, pgtest.Rows[row](t, pool, rowsSQL)); diff != "" {
		t.Errorf("search keys (-want +got):\n%s", diff)
	}
	checkTotals(t, pool)
	if n := pgtest.Value[int](t, pool, "select count(*) from map_stats where listed"); n != 4 {
		t.Errorf("%d maps are listed by their records, want 4", n)
	}
}

func TestRepublishTellsEveryMap(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	for n := range 3 {
		if _, err := store.Create(t.Context(), maptest.NewMap(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Remove(t.Context(), maptest.MapID(2), parkourmap.Attribution{Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	before := left(t, pool).States
	pgtest.Exec(t, pool, "truncate outbox")
	n, err := store.Republish(t.Context())
	if err != nil || n != 3 {
		t.Fatalf("republished %d, %v", n, err)
	}
	want := slices.Concat(before[:2], before[3:])
	if diff := cmp.Diff(want, left(t, pool).States); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}
