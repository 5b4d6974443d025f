package postgres_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
	maps "capzone.dev/services/maps/internal/postgres"
)

// versionOf returns the n-th version of the first map, which the revision of the others precedes.
func versionOf(n int, revision int64, alter ...func(*parkourmap.Map)) parkourmap.Creation {
	c := parkourmaptest.NewMap(n, func(m *parkourmap.Map) {
		m.GameMapID, m.MapVersion, m.Fingerprint, m.Tags = 7, n, fmt.Sprint("f", n), []string{"speed"}
		for _, a := range alter {
			a(m)
		}
	})
	c.Revision = revision
	return c
}

// threeVersions creates three versions of one map. Each creation raises the version of the row before.
func threeVersions(t *testing.T, store *maps.Store) {
	t.Helper()
	create(t, store, versionOf(1, 0), versionOf(2, 1), versionOf(3, 3))
}

func TestStore_Create_versions(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	for n := 1; n <= 3; n++ { // counts that arrive before their maps
		if err := store.ApplyStats(t.Context(),
			event.MapStats{MapID: parkourmaptest.MapID(n), Version: 1, Records: int64(n)}); err != nil {
			t.Fatal(err)
		}
	}
	threeVersions(t, store)
	var numbers []string
	for _, s := range left(t, pool).States {
		numbers = append(numbers, fmt.Sprint(s.MapVersion, s.Version, s.Superseded))
	}
	want := []string{"1 1 false", "2 1 false", "1 2 true", "3 1 false", "2 2 true"}
	if diff := cmp.Diff(want, numbers); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	checkListed(t, store, pool, 3)

	// Removing the newest lists the one before; removing an older one changes no other.
	remove := func(n int) {
		t.Helper()
		if err := store.Remove(t.Context(), parkourmaptest.MapID(n), parkourmap.Attribution{Reason: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	pgtest.Exec(t, pool, "truncate outbox")
	remove(3)
	checkListed(t, store, pool, 2)
	if states := left(t, pool).States; len(states) != 2 || states[0].MapVersion != 2 || states[0].Superseded ||
		!states[1].Removed {
		t.Errorf("states after the removal of the newest version: %+v", states)
	}
	remove(1)
	checkListed(t, store, pool, 2)
	create(t, store, versionOf(4, 3+3+2))
	checkListed(t, store, pool, 4)
	remove(4)
	remove(2)
	checkListed(t, store, pool)
	if _, err := store.Versions(t.Context(), parkourmaptest.MapID(2)); !errors.Is(err, parkourmap.ErrMapUnknown) {
		t.Errorf("versions of a removed map: %v", err)
	}
}

// checkListed checks that searches, orders, tags and ids have exactly these versions.
func checkListed(t *testing.T, store *maps.Store, pool *postgres.Pool, versions ...int) {
	t.Helper()
	var want, ids []string
	for _, n := range versions {
		want, ids = append(want, fmt.Sprintf("Map %d", n)), append(ids, parkourmaptest.MapID(n))
	}
	for _, s := range []parkourmap.Search{{}, {Name: "map"}, {Tags: []string{"speed"}}, {SortBy: parkourmap.ByRecords},
		{SortBy: parkourmap.ByCreated}, {AuthorID: parkourmaptest.PlayerID(1)}, {Author: "cloud"}} {
		if diff := cmp.Diff(want, found(t, store, s)); diff != "" {
			t.Errorf("search %+v (-want +got):\n%s", s, diff)
		}
	}
	page, err := store.IDs(t.Context(), 10, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, id := range page.IDs {
		got = append(got, id.ID)
	}
	if diff := cmp.Diff(ids, got); diff != "" || page.Total != int64(len(ids)) {
		t.Errorf("ids, of %d (-want +got):\n%s", page.Total, diff)
	}
	checkTagCounts(t, pool)
}

func TestStore_ByGameMapID(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	threeVersions(t, store)
	check := func(fingerprint string, want int) {
		t.Helper()
		m, err := store.ByGameMapID(t.Context(), 7, fingerprint)
		if err != nil || m.MapVersion != want {
			t.Errorf("with the fingerprint %q: version %d, %v, want %d", fingerprint, m.MapVersion, err, want)
		}
	}
	check("", 3)
	check("f1", 1)
	check("f3", 3)
	check("unknown", 3)
	if err := store.Remove(t.Context(), parkourmaptest.MapID(3), parkourmap.Attribution{Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	check("", 2)
	check("f3", 3)
	if _, err := store.ByGameMapID(t.Context(), 8, "f1"); !errors.Is(err, parkourmap.ErrMapUnknown) {
		t.Errorf("an unknown game map: %v", err)
	}
}

func TestStore_Update(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, versionOf(1, 0))
	m := versionOf(1, 0, func(m *parkourmap.Map) {
		m.Version, m.Name, m.Tags = 2, "Brighter", []string{"new"}
		m.Files.Image, m.Files.Thumbnail = "", ""
		m.Files.Drawing, m.Files.Picture, m.Files.PictureThumbnail = "maps/d.svg", "maps/p.webp", "maps/p-480.webp"
		m.Files.PictureBucket = "capzone-maps"
	}).Map
	pgtest.Exec(t, pool, "truncate outbox")
	entry, err := store.Update(t.Context(), parkourmap.Update{Map: m, EncodedMap: "new data", Revision: 1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, entry.Map); diff != "" {
		t.Errorf("map (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(outboxContents{States: []event.MapState{m.State()}}, left(t, pool)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	names := found(t, store, parkourmap.Search{Name: "bright", Tags: []string{"new"}})
	if diff := cmp.Diff([]string{"Brighter"}, names); diff != "" {
		t.Errorf("search (-want +got):\n%s", diff)
	}
	type key struct{ Key string }
	if diff := cmp.Diff([]key{{"maps/i-480.webp"}, {"maps/i.webp"}},
		pgtest.Rows[key](t, pool, "select key from pending_uploads order by key")); diff != "" {
		t.Errorf("released files (-want +got):\n%s", diff)
	}
	if data, err := store.EncodedMap(t.Context(), m.ID); err != nil || data != "new data" {
		t.Errorf("data %q, %v", data, err)
	}
	checkTagCounts(t, pool)
	_, err = store.Update(t.Context(), parkourmap.Update{Map: m, EncodedMap: "old", Revision: 1})
	if !errors.Is(err, parkourmap.ErrVersionsChanged) {
		t.Errorf("with an outdated revision: %v", err)
	}
}

// All versions of one author get the new author; those of others and removed ones stay.
func TestStore_Reassign_versions(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 2, "Rain")
	create(t, store, versionOf(1, 0), versionOf(2, 1), versionOf(3, 3, func(m *parkourmap.Map) {
		m.AuthorID = parkourmaptest.PlayerID(3)
	}), versionOf(4, 5))
	if err := store.Remove(t.Context(), parkourmaptest.MapID(2), parkourmap.Attribution{Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, pool, "truncate outbox")
	to := parkourmap.Player{ID: parkourmaptest.PlayerID(2), Name: "Rain"}
	if err := store.Reassign(t.Context(), parkourmaptest.MapID(4), to,
		parkourmap.Attribution{Operator: "root"}); err != nil {
		t.Fatal(err)
	}
	known, err := store.KnownVersions(t.Context(), 7, "")
	if err != nil {
		t.Fatal(err)
	}
	var authors []string
	for _, v := range known {
		authors = append(authors, v.AuthorID)
	}
	want := []string{parkourmaptest.PlayerID(2), parkourmaptest.PlayerID(1), parkourmaptest.PlayerID(3),
		parkourmaptest.PlayerID(2)}
	if diff := cmp.Diff(want, authors); diff != "" {
		t.Errorf("authors (-want +got):\n%s", diff)
	}
	if after := left(t, pool); len(after.States) != 2 || len(after.Facts) != 2 {
		t.Errorf("events: %+v", after)
	}
	if n := pgtest.Value[int](t, pool, "select count(*) from audit where action = 'reassign map'"); n != 2 {
		t.Errorf("%d entries of the audit log, want 2", n)
	}
}
