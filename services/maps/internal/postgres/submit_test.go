package postgres_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestStore_Submit(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	tell(t, store, parkourmap.Player{
		ID: playerID(2), Version: 2, Name: "Rain", SkinImageURL: "/media/skins/a.webp", SkinColor: "#8e24aa",
	})
	c := newMap(1, func(m *parkourmap.Map) {
		m.Description, m.Tags, m.Contributors = "Mind the gap.\n", []string{"speed", "a b"}, []string{"Rain"}
		m.Mode = bonkmap.DeathArrows
		m.Medals = &racetime.Medals{Author: 1, Gold: 2, Silver: 3, Bronze: 4}
		m.RemixOf = &parkourmap.Remix{GameMapID: 7, Name: "Old Sky", Author: "Rain"}
		m.SubmittedByID = playerID(2)
	})
	want := parkourmap.Entry{
		Map:    c.Map,
		Author: parkourmap.Player{ID: playerID(1), Name: "cloudstep"},
		SubmittedBy: parkourmap.Player{ID: playerID(2), Name: "Rain", SkinImageURL: "/media/skins/a.webp",
			SkinColor: "#8e24aa"},
	}
	create(t, store, c)
	got, err := store.Entry(t.Context(), c.Map.ID)
	require.NoError(t, err)
	assert.Equal(t, "entry", want, got)
	assert.Equal(t, "left behind", outboxContents{States: []event.MapState{c.Map.State()}, Facts: []event.Fact{c.Replay}},
		left(t, pool))
}

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

func TestStore_Remove(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	gone, stays := newMap(1, tagged("speed")), newMap(2, tagged("speed"))
	create(t, store, gone, stays)
	require.NoError(t, moderate(t.Context(), store, access.RemoveMap, gone.Map.ID, "root", "stolen"))
	checkError(t, "Entry", parkourmap.ErrMapUnknown, errorOf(store.Entry(t.Context(), gone.Map.ID)))
	want := outboxContents{
		States: []event.MapState{gone.Map.State(), stays.Map.State(), {ID: gone.Map.ID, Version: 2, Removed: true}},
		Facts:  []event.Fact{gone.Replay, stays.Replay, event.MapRemoved{MapID: gone.Map.ID, Reason: "stolen"}},
	}
	assert.Equal(t, "left behind", want, left(t, pool))
}

func TestStore_Reassign(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store, newMap(1))
	to := parkourmap.Player{ID: playerID(2), Name: "Rain"}
	require.NoError(t, store.Reassign(t.Context(), mapID(1), to, changedAt, by("root", "wrong author")))
	assert.Equal(t, "maps of the author", []string{"Map 1"},
		found(t, store, parkourmap.Search{AuthorID: playerID(2), Author: "ra"}))
	assert.Equal(t, "maps of the former author", []string(nil), found(t, store, parkourmap.Search{Author: "c"}))
	after := left(t, pool)
	if len(after.States) != 2 || after.States[1].Version != 2 || after.States[1].AuthorID != playerID(2) {
		t.Errorf("states: %+v", after.States)
	}
	fact := event.MapReassigned{MapID: mapID(1), OldAuthorID: playerID(1),
		NewAuthorID: playerID(2), Reason: "wrong author"}
	assert.Equal(t, "fact", event.Fact(fact), after.Facts[len(after.Facts)-1])
}
