package postgres_test

import (
	"errors"
	"fmt"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

// tombstone is of a player who was merged into another.
func tombstone(from, into int) parkourmap.Player {
	return parkourmap.Player{ID: playerID(from), Version: 2, Removed: true, MergedInto: playerID(into)}
}

func submittedBy(n int) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) { m.SubmittedByID = playerID(n) }
}

func TestStore_ApplyPlayer_merged(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "old")
	take(t, store, 2, "New")
	take(t, store, 3, "validator")
	medals := racetime.Medals{Author: 1000, Gold: 1100, Silver: 1200, Bronze: 1300}
	written := newMap(1, func(m *parkourmap.Map) { m.Medals, m.Contributors = &medals, []string{"old"} })
	creations := []parkourmap.Candidate{
		written,
		newMap(2, submittedBy(3)),
		newMap(3, byTheSecond),
		newMap(4, byTheSecond, submittedBy(2)),
		newMap(5),
	}
	create(t, store, creations...)
	require.NoError(t, moderate(t.Context(), store, access.RemoveMap, mapID(5), "root", "stolen"))
	before := len(left(t, pool).States)
	for range 2 { // a message may come twice
		apply(t, store, tombstone(1, 2))
	}

	for n, submitter := range map[int]int{1: 2, 2: 3, 3: 2, 4: 2} {
		entry, err := store.Entry(t.Context(), mapID(n))
		require.NoError(t, err)
		if entry.Author.Name != "New" || entry.AuthorID != playerID(2) ||
			entry.SubmittedByID != playerID(submitter) {
			t.Errorf("map %d is by %q, submitted by %s, want by New and %s", n, entry.Author.Name, entry.SubmittedByID,
				playerID(submitter))
		}
	}
	entry, err := store.Entry(t.Context(), mapID(1))
	require.NoError(t, err)
	want := written.Map
	want.Version, want.AuthorID, want.SubmittedByID = 2, playerID(2), playerID(2)
	assert.Equal(t, "map", want, entry.Map)
	assert.Equal(t, "maps of the player", []string{"Map 1", "Map 2", "Map 3", "Map 4"},
		found(t, store, parkourmap.Search{AuthorID: playerID(2), Author: "new"}))
	assert.Equal(t, "maps of the merged player", []string(nil), found(t, store, parkourmap.Search{Author: "old"}))
	published := map[string]event.MapState{}
	for _, state := range left(t, pool).States[before:] {
		published[state.ID] = state
	}
	if len(published) != 4 || !published[mapID(5)].Removed ||
		published[mapID(1)].AuthorID != playerID(2) ||
		published[mapID(3)].SubmittedByID != playerID(2) ||
		published[mapID(2)].Version != 2 {
		t.Errorf("published: %+v", published)
	}
	if n := len(left(t, pool).States) - before; n != len(published) {
		t.Errorf("%d states of %d maps were published", n, len(published))
	}

	copied, err := store.Player(t.Context(), playerID(1))
	if err != nil || copied.MergedInto != playerID(2) {
		t.Errorf("the copy is %+v, %v", copied, err)
	}
	if p, err := store.PlayerNamed(t.Context(), "old"); !errors.Is(err, parkourmap.ErrPlayerUnknown) {
		t.Errorf("the old name finds %+v, %v", p, err)
	}
}

func TestStore_ApplyPlayer_merged_in_any_order(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	for i, published := range [][]int{{0, 1}, {1, 0}, {1, 0, 1}, {0, 1, 0}} {
		a, b, c := 10*i+1, 10*i+2, 10*i+3
		for _, n := range []int{a, b, c} {
			take(t, store, n, fmt.Sprintf("player %d", n))
		}
		create(t, store, newMap(i, func(m *parkourmap.Map) { m.AuthorID, m.SubmittedByID = playerID(a), playerID(b) }))
		links := []parkourmap.Player{tombstone(a, b), tombstone(b, c)}
		for _, link := range published {
			apply(t, store, links[link])
		}
		take(t, store, a, "an older state, late")
		entry, err := store.Entry(t.Context(), mapID(i))
		if err != nil || entry.AuthorID != playerID(c) || entry.SubmittedByID != playerID(c) {
			t.Errorf("merged in the order %v: %+v, %v", published, entry, err)
		}
	}
}

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	_, pool := setup(t)
	pgtest.WantPlayerColumns(t, pool, maps.PlayerColumns, "map_id", "world_record_id", "undoes")
}
