package postgres_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

// versionOf returns the n-th version of the first map.
func versionOf(n int, alter ...func(*parkourmap.Map)) parkourmap.Candidate {
	return newMap(n, func(m *parkourmap.Map) {
		m.GameMapID, m.MapVersion, m.Fingerprint, m.Tags = 7, n, fmt.Sprint("f", n), []string{"speed"}
		for _, a := range alter {
			a(m)
		}
	})
}

// threeVersions creates three versions of one map.
func threeVersions(t *testing.T, store *maps.Store) {
	t.Helper()
	create(t, store, versionOf(1), versionOf(2), versionOf(3))
}

func TestStore_Submit_versions(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	for n := 1; n <= 3; n++ { // counts that arrive before their maps
		applyStats(t, store, n, 1, int64(n))
	}
	threeVersions(t, store)
	var numbers []string
	for _, s := range left(t, pool).States {
		numbers = append(numbers, fmt.Sprint(s.MapVersion, s.Version, s.Superseded))
	}
	want := []string{"1 1 false", "1 2 true", "2 1 false", "2 2 true", "3 1 false"}
	assert.Equal(t, "states", want, numbers)
	checkListed(t, store, pool, 3)

	// Removing the newest lists the one before; removing an older one changes no other.
	pgtest.Exec(t, pool, "truncate outbox")
	remove(t, store, 3)
	checkListed(t, store, pool, 2)
	if states := left(t, pool).States; len(states) != 2 || states[0].MapVersion != 2 || states[0].Superseded ||
		!states[1].Removed {
		t.Errorf("states after the removal of the newest version: %+v", states)
	}
	remove(t, store, 1)
	checkListed(t, store, pool, 2)
	create(t, store, versionOf(4))
	checkListed(t, store, pool, 4)
	remove(t, store, 4)
	remove(t, store, 2)
	checkListed(t, store, pool)
	checkError(t, "versions of a removed map", parkourmap.ErrMapUnknown, errorOf(store.Versions(t.Context(), mapID(2))))
}

// checkListed checks that searches, orders, tags and ids have exactly these versions.
func checkListed(t *testing.T, store *maps.Store, pool *postgres.Pool, versions ...int) {
	t.Helper()
	var want, ids []string
	for _, n := range versions {
		want, ids = append(want, fmt.Sprintf("Map %d", n)), append(ids, mapID(n))
	}
	for _, s := range []parkourmap.Search{{}, {Name: "map"}, {Tags: []string{"speed"}},
		{Sort: parkourmap.Sort{By: parkourmap.ByRecords}},
		{Sort: parkourmap.Sort{By: parkourmap.ByCreated}}, {AuthorID: playerID(1)}, {Author: "cloud"}} {
		assert.Equal(t, fmt.Sprintf("search %+v", s), want, found(t, store, s))
	}
	page, total, err := store.IDs(t.Context(), parkourmap.Page{Limit: 10})
	require.NoError(t, err)
	var got []string
	for _, id := range page {
		got = append(got, id.ID)
	}
	if diff := cmp.Diff(ids, got); diff != "" || total != int64(len(ids)) {
		t.Errorf("ids, of %d (-want +got):\n%s", total, diff)
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
	remove(t, store, 3)
	check("", 2)
	check("f3", 3)
	checkError(t, "an unknown game map", parkourmap.ErrMapUnknown, errorOf(store.ByGameMapID(t.Context(), 8, "f1")))
}

// An update replaces what was submitted, and stores its replay.
func TestStore_Submit_update(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, versionOf(1))
	c := versionOf(1, func(m *parkourmap.Map) {
		m.ID, m.Name, m.Tags = mapID(9), "Brighter", []string{"new"}
		m.UpdatedAt = changedAt
		m.Files = parkourmap.FileKeys{
			Replay: "replays/new.lbReplay", PictureBucket: "capzone-maps",
			Drawing: "maps/d.svg", Picture: "maps/p.webp", PictureThumbnail: "maps/p-480.webp",
		}
	})
	c.EncodedMap, c.Metadata.Tags = "new data", c.Map.Tags
	checkReferenced(t, store, pool, "maps/i.webp", true)
	checkReferenced(t, store, pool, "maps/i-480.webp", true)
	pgtest.Exec(t, pool, "truncate outbox")
	result, err := store.Submit(t.Context(), c)
	if err != nil || result.Created || result.MapID != mapID(1) {
		t.Fatalf("result %+v, %v", result, err)
	}
	m := byID(t, store, 1)
	fact := event.MapUpdated(c.Replay)
	fact.MapID = m.ID
	events := outboxContents{States: []event.MapState{m.State()}, Facts: []event.Fact{fact}}
	assert.Equal(t, "events", events, left(t, pool))
	names := found(t, store, parkourmap.Search{Name: "bright", Tags: []string{"new"}})
	assert.Equal(t, "search", []string{"Brighter"}, names)
	type key struct{ Key string }
	assert.Equal(t, "released files", []key{{"maps/i-480.webp"}, {"maps/i.webp"}},
		pgtest.Rows[key](t, pool, "select key from pending_uploads order by key"))
	for _, key := range []string{"replays/r.lbReplay", "replays/new.lbReplay", "maps/d.svg", "maps/p.webp"} {
		checkReferenced(t, store, pool, key, true)
	}
	checkReferenced(t, store, pool, "maps/i.webp", false)
	if data, err := store.EncodedMap(t.Context(), m.ID); err != nil || data != "new data" {
		t.Errorf("data %q, %v", data, err)
	}
	checkTagCounts(t, pool)
}

// All versions of one author get the new author, also removed ones; those of others stay.
func TestStore_Reassign_versions(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 2, "Rain")
	create(t, store, versionOf(1), versionOf(2), versionOf(3, func(m *parkourmap.Map) {
		m.AuthorID = playerID(3)
	}), versionOf(4))
	remove(t, store, 2)
	pgtest.Exec(t, pool, "truncate outbox")
	to := parkourmap.Player{ID: playerID(2), Name: "Rain"}
	require.NoError(t, store.Reassign(t.Context(), by("root", ""), mapID(4), to, changedAt))
	known, err := store.KnownVersions(t.Context(), versionOf(1))
	require.NoError(t, err)
	var authors []string
	for _, v := range known.Versions {
		authors = append(authors, v.AuthorID)
	}
	want := []string{playerID(2), playerID(2), playerID(3), playerID(2)}
	assert.Equal(t, "authors", want, authors)
	if after := left(t, pool); len(after.States) != 3 || len(after.Facts) != 3 {
		t.Errorf("events: %+v", after)
	}
	assert.Equal(t, "entries of the audit log", 3,
		pgtest.Value[int](t, pool, "select count(*) from audit where action = 'reassign map'"))
}
