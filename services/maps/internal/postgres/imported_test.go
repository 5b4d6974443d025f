package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

// importedMap returns the map of the n-th of parkourmaptest.NewMap as an import has it.
func importedMap(n int) parkourmap.ImportedMap {
	return parkourmap.ImportedMap{
		ID: uuid.NewString(), GameMapID: int64(1000 + n), Name: fmt.Sprintf("Imported %d", n), Authors: []string{"cloudstep"},
		Page: "https://bonk.io/maps", ImportedAt: changedAt, UpdatedAt: changedAt,
	}
}

func imported(t *testing.T, store *maps.Store, list ...parkourmap.ImportedMap) (outcomes []parkourmap.ImportOutcome) {
	t.Helper()
	results, err := store.Import(t.Context(), by("ops", ""), list, false)
	require.NoError(t, err)
	for _, d := range results {
		outcomes = append(outcomes, d.Outcome)
	}
	return outcomes
}

// withoutReplay returns the names of the maps without a replay.
func withoutReplay(t *testing.T, store *maps.Store) []string {
	t.Helper()
	page, _, err := store.SearchWithoutReplay(t.Context(), "", parkourmap.Page{Limit: 100})
	require.NoError(t, err)
	names := []string{}
	for _, m := range page {
		names = append(names, m.Name)
	}
	return names
}

func TestStore_Import(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, newMap(1), newMap(2))
	remove(t, store, 2)
	first := importedMap(4)
	results, err := store.Import(t.Context(), by("ops", ""), []parkourmap.ImportedMap{first}, true)
	if err != nil || results[0].Outcome != parkourmap.ImportAdded || len(withoutReplay(t, store)) > 0 {
		t.Fatalf("a dry run: %+v, %v", results, err)
	}
	imported(t, store, first)
	changed := importedMap(4)
	changed.Authors, changed.UpdatedAt = []string{"Rain", "cloudstep"}, changedAt.Add(time.Hour)
	got := imported(t, store, importedMap(1), importedMap(2), importedMap(3), changed)
	assert.Equal(t, "outcomes", []parkourmap.ImportOutcome{
		parkourmap.ImportOnSite, parkourmap.ImportRefused, parkourmap.ImportAdded, parkourmap.ImportChanged,
	}, got)
	again := imported(t, store, importedMap(3), changed)
	unchanged := []parkourmap.ImportOutcome{parkourmap.ImportUnchanged, parkourmap.ImportUnchanged}
	assert.Equal(t, "a second time", unchanged, again)
	want := changed
	want.ID, want.ImportedAt = first.ID, first.ImportedAt
	stored, err := store.ImportedMap(t.Context(), first.ID)
	if diff := cmp.Diff(want, stored); diff != "" || err != nil {
		t.Errorf("%v, stored (-want +got):\n%s", err, diff)
	}
	assert.Equal(t, "without a replay", []string{"Imported 3", "Imported 4"}, withoutReplay(t, store))

	type row struct {
		Subject       string
		Before, After map[string]any
	}
	values := func(authors ...any) map[string]any {
		return map[string]any{"gameMapId": 1004.0, "name": "Imported 4", "authors": authors, "page": "https://bonk.io/maps"}
	}
	assert.Equal(t, "audit", []row{
		{first.ID, map[string]any{}, values("cloudstep")}, {first.ID, values("cloudstep"), values("Rain", "cloudstep")},
	}, pgtest.Rows[row](t, pool, `
		select subject, before, after from audit
		where action = 'import maps' and after ->> 'gameMapId' = '1004' order by id`))
}

func TestStore_Unlist(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	m := importedMap(1)
	imported(t, store, m)
	require.NoError(t, store.Unlist(t.Context(), by("ops", "a typing error"), m.GameMapID))
	checkError(t, "a second time", parkourmap.ErrImportedMapUnknown,
		store.Unlist(t.Context(), by("ops", "again"), m.GameMapID))
	checkError(t, "the map is still there", parkourmap.ErrImportedMapUnknown,
		errorOf(store.ImportedMap(t.Context(), m.ID)))
	type row struct{ Subject, Reason, Name string }
	assert.Equal(t, "audit", []row{{m.ID, "a typing error", m.Name}}, pgtest.Rows[row](t, pool, `
		select subject, reason, before ->> 'name' as name from audit where action = 'unlist map'`))
}

// A map leaves the list with its submission, and stays off it while all of its versions are removed.
func TestStore_Import_then_submit(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	m := importedMap(7)
	imported(t, store, m, importedMap(8))
	check := func(when, mapID string, want ...string) {
		t.Helper()
		assert.Equal(t, "without a replay "+when, want, withoutReplay(t, store))
		stored, err := store.ImportedMap(t.Context(), m.ID)
		if err != nil || stored.MapID != mapID {
			t.Errorf("%s it is map %q, want %q, %v", when, stored.MapID, mapID, err)
		}
	}
	version := func(n int) parkourmap.Candidate {
		c := newMap(n, func(m *parkourmap.Map) { m.GameMapID, m.Fingerprint = 1007, fmt.Sprint("f", n) })
		c.EncodedMap = fmt.Sprint("version ", n)
		return c
	}
	check("at first", "", "Imported 7", "Imported 8")
	create(t, store, version(1))
	check("with one version", mapID(1), "Imported 8")
	create(t, store, version(2))
	check("with two versions", mapID(2), "Imported 8")
	remove(t, store, 2)
	check("with one removed", mapID(1), "Imported 8")
	remove(t, store, 1)
	check("with both removed", mapID(2), "Imported 8")
	require.NoError(t, moderate(t.Context(), store, access.RestoreMap, mapID(2), "ops", "x"))
	check("with one restored", mapID(2), "Imported 8")
	pgtest.Exec(t, pool, "update listed_maps set map_id = null")
	require.NoError(t, store.Rebuild(t.Context()))
	check("after a rebuild", mapID(2), "Imported 8")
}

// An import waits for a submission that has not ended, and so knows its map.
func TestStore_Import_during_submission(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	tx := begin(t, pool)
	create(t, store.In(tx), newMap(1))
	type result struct {
		results []parkourmap.ImportResult
		err     error
	}
	done := make(chan result, 1)
	go func() {
		results, err := store.Import(t.Context(), by("ops", ""), []parkourmap.ImportedMap{importedMap(1)}, false)
		done <- result{results, err}
	}()
	eventually.WaitFor(t, "the import waits for a lock", func() bool { return pgtest.Waiting(t, pool) > 0 })
	commit(t, tx)
	if got := <-done; got.err != nil || got.results[0].Outcome != parkourmap.ImportOnSite {
		t.Errorf("%+v", got)
	}
	if names := withoutReplay(t, store); len(names) > 0 {
		t.Errorf("without a replay: %v", names)
	}
}
