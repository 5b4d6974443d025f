package postgres_test

import (
	"fmt"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestStore_ApplyStats(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	for _, message := range []struct{ version, records int64 }{{2, 7}, {1, 3}, {2, 7}} {
		applyStats(t, store, 1, message.version, message.records)
	}
	create(t, store, newMap(1), newMap(2))
	entry, err := store.Entry(t.Context(), mapID(1))
	if err != nil || entry.Records != 7 {
		t.Errorf("records = %d, %v, want 7", entry.Records, err)
	}
	assert.Equal(t, "by records", []string{"Map 1", "Map 2"},
		found(t, store, parkourmap.Search{Sort: parkourmap.Sort{By: parkourmap.ByRecords, Descending: true}}))
	applyStats(t, store, 1, 3, 6)
	if entry, err := store.Entry(t.Context(), mapID(1)); err != nil || entry.Records != 6 ||
		entry.Version != 1 {
		t.Errorf("records = %d of version %d, %v, want 6 of 1", entry.Records, entry.Version, err)
	}
}

func TestStore_ApplyPlayer(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	state := func(version int64, name string) parkourmap.Player {
		p := parkourmap.Player{ID: playerID(1), Version: version, Name: name, Roles: []string{"validator"}}
		if version == 3 {
			p.Banned, p.Ban = true, &event.Ban{}
		}
		return p
	}
	for _, message := range []parkourmap.Player{state(1, "cloudstep"), state(3, "CloudStep"), state(2, "cloudstep"),
		state(3, "CloudStep")} {
		apply(t, store, message)
	}
	got, err := store.Player(t.Context(), playerID(1))
	require.NoError(t, err)
	assert.Equal(t, "copy", state(3, "CloudStep"), got)
	if got, err := store.PlayerNamed(t.Context(), "cloudstep"); err != nil || got.ID != playerID(1) {
		t.Errorf("by name: %v, %v", got, err)
	}
	apply(t, store, parkourmap.Player{ID: playerID(1), Version: 4, Removed: true})
	checkError(t, "a removed player is found by name", parkourmap.ErrPlayerUnknown,
		errorOf(store.PlayerNamed(t.Context(), "cloudstep")))
	got, err = store.Player(t.Context(), playerID(1))
	if err != nil || !got.Removed {
		t.Errorf("Player of a removed player returned %+v, %v", got, err)
	}
	checkError(t, "Player of an unknown player", parkourmap.ErrPlayerUnknown,
		errorOf(store.Player(t.Context(), playerID(2))))
}

func TestStore_ApplyPlayer_renamed_author(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, newMap(1), newMap(2), newMap(3, byTheSecond))
	apply(t, store, parkourmap.Player{ID: playerID(1), Version: 2, Name: "Stormstep"})
	for author, want := range map[string][]string{"storm": {"Map 1", "Map 2"}, "st": {"Map 1", "Map 2"}, "cloud": nil,
		"c": nil} {
		assert.Equal(t, fmt.Sprintf("author %q", author), want, found(t, store, parkourmap.Search{Author: author}))
	}
	// A copy that arrives after the map.
	take(t, store, 2, "Rain")
	assert.Equal(t, "a late copy", []string{"Map 3"}, found(t, store, parkourmap.Search{Author: "rain"}))
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
