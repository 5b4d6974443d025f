package postgres_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
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

func TestStore_Reassign(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store, newMap(1))
	to := parkourmap.Player{ID: playerID(2), Name: "Rain"}
	require.NoError(t, store.Reassign(t.Context(), by("root", "wrong author"), mapID(1), to, changedAt))
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
