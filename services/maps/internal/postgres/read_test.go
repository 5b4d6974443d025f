package postgres_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/services/maps/internal/parkourmap"
)

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

func TestStore_PopularTags(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, newMap(1, tagged("a", "b", "c")), newMap(2, tagged("b", "c")), newMap(3, tagged("c")))
	check := func(limit int, want ...string) {
		t.Helper()
		tags, err := store.PopularTags(t.Context(), limit)
		require.NoError(t, err)
		assert.Equal(t, "popular tags", want, tags)
	}
	check(2, "c", "b")
	remove(t, store, 1)
	check(100, "c", "b")
}
