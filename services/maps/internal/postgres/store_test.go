package postgres_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

func TestStore_auditLog(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	ctx := t.Context()
	for n, name := range map[int]string{1: "cloudstep", 2: "Rain"} {
		if err := store.ApplyPlayer(ctx, parkourmap.Player{ID: parkourmaptest.PlayerID(n), Version: 1,
			Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Create(ctx, parkourmaptest.NewMap(1)); err != nil {
		t.Fatal(err)
	}
	rain := parkourmap.Player{ID: parkourmaptest.PlayerID(2), Name: "Rain"}
	if err := store.Reassign(ctx, parkourmaptest.MapID(1), rain,
		parkourmap.Attribution{Operator: "ops", Reason: "her map"}); err != nil {
		t.Fatal(err)
	}
	if err := store.Remove(ctx, parkourmaptest.MapID(1),
		parkourmap.Attribution{Operator: "ops", Reason: "stolen"}); err != nil {
		t.Fatal(err)
	}
	// A refused act leaves none.
	if err := store.Remove(ctx, parkourmaptest.MapID(1),
		parkourmap.Attribution{Operator: "ops", Reason: "again"}); err == nil {
		t.Fatal("removed twice")
	}
	type row struct {
		Actor, Action, Subject, Reason string
		Details                        map[string]any
	}
	want := []row{
		{"ops", "reassign map", parkourmaptest.MapID(1), "her map", map[string]any{
			"oldAuthorId": parkourmaptest.PlayerID(1), "newAuthorId": parkourmaptest.PlayerID(2), "newAuthor": "Rain",
		}},
		{"ops", "remove map", parkourmaptest.MapID(1), "stolen", map[string]any{"name": "Map 1", "bonkDbId": 1001.0}},
	}
	if diff := cmp.Diff(want, pgtest.Rows[row](t, pool,
		"select actor, action, subject, reason, details from audit order by id")); diff != "" {
		t.Errorf("audit (-want +got):\n%s", diff)
	}
	// The images are released, the replay stays for an appeal.
	type key struct{ Key string }
	if diff := cmp.Diff([]key{{"maps/i-480.webp"}, {"maps/i.webp"}},
		pgtest.Rows[key](t, pool, "select key from pending_uploads order by key")); diff != "" {
		t.Errorf("released files (-want +got):\n%s", diff)
	}
	if n := pgtest.Value[int](t, pool, "select count(*) from map_data"); n != 1 {
		t.Errorf("the data of %d maps is there, want 1", n)
	}
}

func TestStore_IsReferenced(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	if _, err := store.Create(t.Context(), parkourmaptest.NewMap(1)); err != nil {
		t.Fatal(err)
	}
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	for key, want := range map[string]bool{"maps/i.webp": true, "maps/i-480.webp": true, "replays/r.lbReplay": true,
		"maps/other.webp": false} {
		if got, err := store.IsReferenced(t.Context(), tx, key); err != nil || got != want {
			t.Errorf("Named(%q) = %v, %v, want %v", key, got, err, want)
		}
	}
}

// Whatever the order of concurrent changes, the counts of tags are those of the maps.
func TestStore_tagCounts(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	ctx := t.Context()
	var group errgroup.Group
	group.SetLimit(8)
	for n := range 40 {
		group.Go(func() error {
			_, err := store.Create(ctx, parkourmaptest.NewMap(n, func(m *parkourmap.Map) {
				m.AuthorID, m.Tags = parkourmaptest.PlayerID(n%4), []string{fmt.Sprintf("tag %d", n%5), "all"}
			}))
			if err != nil {
				return err
			}
			switch n % 4 {
			case 0:
				return store.Remove(ctx, parkourmaptest.MapID(n), parkourmap.Attribution{Reason: "x"})
			case 1:
				to := parkourmap.Player{ID: parkourmaptest.PlayerID((n + 1) % 4)}
				return store.Reassign(ctx, parkourmaptest.MapID(n), to, parkourmap.Attribution{})
			default:
				if n == 19 {
					return store.Rebuild(ctx)
				}
				return store.ApplyStats(ctx, event.MapStats{MapID: parkourmaptest.MapID(n), Version: 1, Records: int64(n)})
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	checkTagCounts(t, pool)
	if n := pgtest.Value[int](t, pool, "select count(*) from map_stats where listed"); n != 30 {
		t.Errorf("%d maps are listed by their records, want 30", n)
	}
}

func TestStore_Rebuild(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	for n := range 5 {
		create(t, store, parkourmaptest.NewMap(n, tagged("speed")))
	}
	if err := store.Remove(t.Context(), parkourmaptest.MapID(0), parkourmap.Attribution{Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, pool, "truncate map_stats")
	pgtest.Exec(t, pool, "update tag_counts set maps = 99")
	if err := store.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkTagCounts(t, pool)
	if n := pgtest.Value[int](t, pool, "select count(*) from map_stats where listed"); n != 4 {
		t.Errorf("%d maps are listed by their records, want 4", n)
	}
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts of tags (-want +got):\n%s", diff)
	}
}

func TestStore_Republish(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	for n := range 3 {
		if _, err := store.Create(t.Context(), parkourmaptest.NewMap(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Remove(t.Context(), parkourmaptest.MapID(2), parkourmap.Attribution{Reason: "x"}); err != nil {
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
