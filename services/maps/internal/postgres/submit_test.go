package postgres_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

func TestStore_Submit_concurrently(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	var wait sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		wait.Go(func() {
			c := newMap(i, func(m *parkourmap.Map) { m.GameMapID, m.Tags = 7, []string{"b", "a"} })
			c.EncodedMap = "the same map"
			_, errs[i] = store.Submit(t.Context(), c)
		})
	}
	wait.Wait()
	winner := slices.Index(errs, nil)
	if winner < 0 {
		t.Fatalf("no call succeeded: %v", errs[0])
	}
	for i, err := range errs {
		if i != winner && !errors.Is(err, parkourmap.ErrMapExists) {
			t.Errorf("submission %d got %v, want %v", i, err, parkourmap.ErrMapExists)
		}
	}
	if after := left(t, pool); len(after.States) != 1 || len(after.Facts) != 1 {
		t.Errorf("left behind: %+v", after)
	}
}

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
	fact.MapID, fact.SubmittedByID = m.ID, playerID(1)
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

func TestStore_Submit_attaches_uploads(t *testing.T) {
	t.Parallel()
	t.Run("its files, and no others", func(t *testing.T) {
		t.Parallel()
		store, pool := setup(t)
		candidate := newMap(1)
		for _, key := range []string{"replay", "full", "thumbnail"} {
			candidate.Uploads = append(candidate.Uploads, pgtest.PendingUpload(t, pool, key))
		}
		other := pgtest.PendingUpload(t, pool, "thumbnail")
		create(t, store, candidate)
		left := pgtest.Rows[struct{ ID uuid.UUID }](t, pool, "select id from pending_uploads")
		assert.Equal(t, "pending uploads", []struct{ ID uuid.UUID }{{other.ID}}, left)
	})
	t.Run("no map without its files", func(t *testing.T) {
		t.Parallel()
		store, pool := setup(t)
		candidate := newMap(1)
		candidate.Uploads = []storedfile.Upload{
			pgtest.PendingUpload(t, pool, "replay"), {ID: uuid.Must(uuid.NewV7()), Key: "removed by the sweeper"},
		}
		checkError(t, "Submit", objectstore.ErrUploadExpired, errorOf(store.Submit(t.Context(), candidate)))
		assert.Equal(t, "maps were created", 0, pgtest.Value[int](t, pool, "select count(*) from maps"))
		assert.Equal(t, "outbox", outboxContents{}, left(t, pool))
		checkError(t, "Entry", parkourmap.ErrMapUnknown, errorOf(store.Entry(t.Context(), candidate.Map.ID)))
	})
}

func TestStore_Submit_for_merged_player(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	for n := 1; n <= 3; n++ {
		take(t, store, n, fmt.Sprintf("player %d", n))
	}
	apply(t, store, tombstone(1, 2))
	for n, c := range []parkourmap.Candidate{newMap(1), newMap(2, byTheSecond),
		newMap(3, submittedBy(2))} {
		create(t, store, c)
		m, err := store.ByID(t.Context(), c.Map.ID)
		if err != nil || m.AuthorID != playerID(2) || m.SubmittedByID != playerID(2) {
			t.Errorf("map %d is by %s, submitted by %s, %v", n, m.AuthorID, m.SubmittedByID, err)
		}
	}
	for _, fact := range left(t, pool).Facts {
		if created := fact.(event.MapCreated); created.SubmittedByID != playerID(2) {
			t.Errorf("fact: %+v", created)
		}
	}
	create(t, store, newMap(4, func(m *parkourmap.Map) { m.AuthorID = playerID(3) }))
	assert.Equal(t, "actor of the audit log", playerID(2), pgtest.Value[string](t, pool, "select actor from audit"))
	require.NoError(t, reassign(t.Context(), store, mapID(4), playerID(1)))
	if m, err := store.ByID(t.Context(), mapID(4)); err != nil || m.AuthorID != playerID(2) {
		t.Errorf("reassigned to %s, %v", m.AuthorID, err)
	}
}
