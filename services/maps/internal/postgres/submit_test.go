package postgres_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

func TestStore_Submit(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	require.NoError(t, store.ApplyPlayer(t.Context(), parkourmap.Player{
		ID: parkourmaptest.PlayerID(2), Version: 2, Name: "Rain", SkinImageURL: "/media/skins/a.webp", SkinColor: "#8e24aa",
	}))
	c := parkourmaptest.NewMap(1, func(m *parkourmap.Map) {
		m.Description, m.Tags, m.Contributors = "Mind the gap.\n", []string{"speed", "a b"}, []string{"Rain"}
		m.Mode = bonkmap.DeathArrows
		m.Medals = &racetime.Medals{Author: 1, Gold: 2, Silver: 3, Bronze: 4}
		m.RemixOf = &parkourmap.Remix{GameMapID: 7, Name: "Old Sky", Author: "Rain"}
		m.SubmittedByID = parkourmaptest.PlayerID(2)
	})
	want := parkourmap.Entry{
		Map:    c.Map,
		Author: parkourmap.Player{ID: parkourmaptest.PlayerID(1), Name: "cloudstep"},
		SubmittedBy: parkourmap.Player{ID: parkourmaptest.PlayerID(2), Name: "Rain", SkinImageURL: "/media/skins/a.webp",
			SkinColor: "#8e24aa"},
	}
	create(t, store, c)
	got, err := store.Entry(t.Context(), c.Map.ID)
	require.NoError(t, err)
	checkEqual(t, "entry", want, got)
	checkEqual(t, "left behind", outboxContents{States: []event.MapState{c.Map.State()}, Facts: []event.Fact{c.Replay}},
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
			c := parkourmaptest.NewMap(i, func(m *parkourmap.Map) { m.GameMapID, m.Tags = 7, []string{"b", "a"} })
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
	gone, stays := parkourmaptest.NewMap(1, tagged("speed")), parkourmaptest.NewMap(2, tagged("speed"))
	create(t, store, gone, stays)
	require.NoError(t, store.Remove(t.Context(), gone.Map.ID,
		changedAt, by("root", "stolen")))
	if _, err := store.Entry(t.Context(), gone.Map.ID); !errors.Is(err, parkourmap.ErrMapUnknown) {
		t.Errorf("Entry returned %v", err)
	}
	for _, s := range []parkourmap.Search{{}, {Name: "map"}, {Tags: []string{"speed"}},
		{Sort: parkourmap.Sort{By: parkourmap.ByRecords}},
		{AuthorID: parkourmaptest.PlayerID(1)}} {
		checkEqual(t, fmt.Sprintf("search %+v", s), []string{"Map 2"}, found(t, store, s))
	}
	again := parkourmaptest.NewMap(3, func(m *parkourmap.Map) { m.GameMapID = gone.Map.GameMapID })
	if _, err := store.Submit(t.Context(), again); !errors.Is(err, parkourmap.ErrMapRemoved) {
		t.Errorf("Submit returned %v", err)
	}
	if err := store.Remove(t.Context(), gone.Map.ID, changedAt, by("root", "again")); !errors.Is(err,
		parkourmap.ErrAlreadyRemoved) {
		t.Errorf("Remove returned %v", err)
	}
	if err := store.Reassign(t.Context(), gone.Map.ID, parkourmap.Player{ID: parkourmaptest.PlayerID(2)},
		changedAt, by("root", "")); !errors.Is(err, parkourmap.ErrMapUnknown) {
		t.Errorf("Reassign returned %v", err)
	}
	want := outboxContents{
		States: []event.MapState{gone.Map.State(), stays.Map.State(), {ID: gone.Map.ID, Version: 2, Removed: true}},
		Facts:  []event.Fact{gone.Replay, stays.Replay, event.MapRemoved{MapID: gone.Map.ID, Reason: "stolen"}},
	}
	checkEqual(t, "left behind", want, left(t, pool))
}

func TestStore_Reassign(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store, parkourmaptest.NewMap(1))
	to := parkourmap.Player{ID: parkourmaptest.PlayerID(2), Name: "Rain"}
	require.NoError(t, store.Reassign(t.Context(), parkourmaptest.MapID(1), to,
		changedAt, by("root", "wrong author")))
	if err := store.Reassign(t.Context(), parkourmaptest.MapID(1), to, changedAt, by("root", "")); !errors.Is(err,
		parkourmap.ErrAlreadyAuthor) {
		t.Errorf("a second time returned %v", err)
	}
	for _, s := range []parkourmap.Search{{AuthorID: parkourmaptest.PlayerID(2)}, {Author: "rain"}, {Author: "ra"}} {
		checkEqual(t, fmt.Sprintf("search %+v", s), []string{"Map 1"}, found(t, store, s))
	}
	for _, s := range []parkourmap.Search{{AuthorID: parkourmaptest.PlayerID(1)}, {Author: "cloud"}, {Author: "c"}} {
		if names := found(t, store, s); names != nil {
			t.Errorf("search %+v found %v", s, names)
		}
	}
	after := left(t, pool)
	if len(after.States) != 2 || after.States[1].Version != 2 || after.States[1].AuthorID != parkourmaptest.PlayerID(2) {
		t.Errorf("states: %+v", after.States)
	}
	fact := event.MapReassigned{MapID: parkourmaptest.MapID(1), OldAuthorID: parkourmaptest.PlayerID(1),
		NewAuthorID: parkourmaptest.PlayerID(2), Reason: "wrong author"}
	checkEqual(t, "fact", event.Fact(fact), after.Facts[len(after.Facts)-1])
}
