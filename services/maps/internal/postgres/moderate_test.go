package postgres_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestStore_Moderate_audit_log(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	ctx := t.Context()
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store, newMap(1))
	require.NoError(t, reassign(ctx, store, mapID(1), playerID(2)))
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

func TestStore_Moderate_reassign(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store, newMap(1))
	require.NoError(t, reassign(t.Context(), store, mapID(1), playerID(2)))
	assert.Equal(t, "maps of the author", []string{"Map 1"},
		found(t, store, parkourmap.Search{AuthorID: playerID(2), Author: "ra"}))
	assert.Equal(t, "maps of the former author", []string(nil), found(t, store, parkourmap.Search{Author: "c"}))
	after := left(t, pool)
	if len(after.States) != 2 || after.States[1].Version != 2 || after.States[1].AuthorID != playerID(2) {
		t.Errorf("states: %+v", after.States)
	}
	fact := event.MapReassigned{MapID: mapID(1), OldAuthorID: playerID(1),
		NewAuthorID: playerID(2), Reason: "her map"}
	assert.Equal(t, "fact", event.Fact(fact), after.Facts[len(after.Facts)-1])
}

// All versions of one author get the new author, also removed ones; those of others stay.
func TestStore_Moderate_reassign_versions(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 2, "Rain")
	create(t, store, versionOf(1), versionOf(2), versionOf(3, func(m *parkourmap.Map) {
		m.AuthorID = playerID(3)
	}), versionOf(4))
	remove(t, store, 2)
	pgtest.Exec(t, pool, "truncate outbox")
	require.NoError(t, reassign(t.Context(), store, mapID(4), playerID(2)))
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
