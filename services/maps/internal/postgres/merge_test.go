package postgres_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
	maps "capzone.dev/services/maps/internal/postgres"
)

// tombstone is of a player who was merged into another.
func tombstone(from, into int) parkourmap.Player {
	return parkourmap.Player{ID: parkourmaptest.PlayerID(from), Version: 2, Removed: true,
		MergedInto: parkourmaptest.PlayerID(into)}
}

func tell(t *testing.T, store *maps.Store, p parkourmap.Player) {
	t.Helper()
	require.NoError(t, store.ApplyPlayer(t.Context(), p))
}

func submittedBy(n int) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) { m.SubmittedByID = parkourmaptest.PlayerID(n) }
}

func TestStore_ApplyPlayer_merged(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "old")
	take(t, store, 2, "New")
	take(t, store, 3, "validator")
	medals := racetime.Medals{Author: 1000, Gold: 1100, Silver: 1200, Bronze: 1300}
	written := parkourmaptest.NewMap(1, func(m *parkourmap.Map) { m.Medals, m.Contributors = &medals, []string{"old"} })
	creations := []parkourmap.Candidate{
		written,
		parkourmaptest.NewMap(2, submittedBy(3)),
		parkourmaptest.NewMap(3, byTheSecond),
		parkourmaptest.NewMap(4, byTheSecond, submittedBy(2)),
		parkourmaptest.NewMap(5),
	}
	create(t, store, creations...)
	require.NoError(t, store.Remove(t.Context(), parkourmaptest.MapID(5),
		changedAt, by("root", "stolen")))
	before := len(left(t, pool).States)
	for range 2 { // a message may come twice
		tell(t, store, tombstone(1, 2))
	}

	for n, submitter := range map[int]int{1: 2, 2: 3, 3: 2, 4: 2} {
		entry, err := store.Entry(t.Context(), parkourmaptest.MapID(n))
		require.NoError(t, err)
		if entry.Author.Name != "New" || entry.AuthorID != parkourmaptest.PlayerID(2) ||
			entry.SubmittedByID != parkourmaptest.PlayerID(submitter) {
			t.Errorf("map %d is by %q, submitted by %s, want by New and %s", n, entry.Author.Name, entry.SubmittedByID,
				parkourmaptest.PlayerID(submitter))
		}
	}
	entry, err := store.Entry(t.Context(), parkourmaptest.MapID(1))
	require.NoError(t, err)
	want := written.Map
	want.Version, want.AuthorID, want.SubmittedByID = 2, parkourmaptest.PlayerID(2), parkourmaptest.PlayerID(2)
	checkEqual(t, "map", want, entry.Map)
	all := []string{"Map 1", "Map 2", "Map 3", "Map 4"}
	for _, s := range []parkourmap.Search{{AuthorID: parkourmaptest.PlayerID(2)}, {Author: "new"}} {
		checkEqual(t, fmt.Sprintf("search %+v", s), all, found(t, store, s))
	}
	for _, s := range []parkourmap.Search{{AuthorID: parkourmaptest.PlayerID(1)}, {Author: "old"}} {
		if names := found(t, store, s); names != nil {
			t.Errorf("search %+v found %v", s, names)
		}
	}
	published := map[string]event.MapState{}
	for _, state := range left(t, pool).States[before:] {
		published[state.ID] = state
	}
	if len(published) != 4 || !published[parkourmaptest.MapID(5)].Removed ||
		published[parkourmaptest.MapID(1)].AuthorID != parkourmaptest.PlayerID(2) ||
		published[parkourmaptest.MapID(3)].SubmittedByID != parkourmaptest.PlayerID(2) ||
		published[parkourmaptest.MapID(2)].Version != 2 {
		t.Errorf("published: %+v", published)
	}
	if n := len(left(t, pool).States) - before; n != len(published) {
		t.Errorf("%d states of %d maps were published", n, len(published))
	}

	copied, err := store.Player(t.Context(), parkourmaptest.PlayerID(1))
	if err != nil || copied.MergedInto != parkourmaptest.PlayerID(2) {
		t.Errorf("the copy is %+v, %v", copied, err)
	}
	if p, err := store.PlayerNamed(t.Context(), "old"); !errors.Is(err, parkourmap.ErrPlayerUnknown) {
		t.Errorf("the old name finds %+v, %v", p, err)
	}
}

func TestStore_ApplyPlayer_mergedInAnyOrder(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	for i, published := range [][]int{{0, 1}, {1, 0}, {1, 0, 1}, {0, 1, 0}} {
		a, b, c := 10*i+1, 10*i+2, 10*i+3
		for _, n := range []int{a, b, c} {
			take(t, store, n, fmt.Sprintf("player %d", n))
		}
		create(t, store, parkourmaptest.NewMap(i, func(m *parkourmap.Map) {
			m.AuthorID, m.SubmittedByID = parkourmaptest.PlayerID(a), parkourmaptest.PlayerID(b)
		}))
		links := []parkourmap.Player{tombstone(a, b), tombstone(b, c)}
		for _, link := range published {
			tell(t, store, links[link])
		}
		take(t, store, a, "an older state, late")
		entry, err := store.Entry(t.Context(), parkourmaptest.MapID(i))
		if err != nil || entry.AuthorID != parkourmaptest.PlayerID(c) || entry.SubmittedByID != parkourmaptest.PlayerID(c) {
			t.Errorf("merged in the order %v: %+v, %v", published, entry, err)
		}
	}
}

// An earlier release, without merges, has stored the tombstone without MergedInto.
func TestStore_ApplyPlayer_mergedAfterTombstone(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "old")
	take(t, store, 2, "new")
	create(t, store, parkourmaptest.NewMap(1))
	tell(t, store, parkourmap.Player{ID: parkourmaptest.PlayerID(1), Version: 2, Removed: true})
	tell(t, store, tombstone(1, 2))
	entry, err := store.Entry(t.Context(), parkourmaptest.MapID(1))
	if err != nil || entry.AuthorID != parkourmaptest.PlayerID(2) || entry.SubmittedByID != parkourmaptest.PlayerID(2) {
		t.Errorf("the map is %+v, %v", entry, err)
	}
}

func TestStore_Submit_forMergedPlayer(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	for n := 1; n <= 3; n++ {
		take(t, store, n, fmt.Sprintf("player %d", n))
	}
	tell(t, store, tombstone(1, 2))
	for n, c := range []parkourmap.Candidate{parkourmaptest.NewMap(1), parkourmaptest.NewMap(2, byTheSecond),
		parkourmaptest.NewMap(3, submittedBy(2))} {
		create(t, store, c)
		m, err := store.ByID(t.Context(), c.Map.ID)
		if err != nil || m.AuthorID != parkourmaptest.PlayerID(2) || m.SubmittedByID != parkourmaptest.PlayerID(2) {
			t.Errorf("map %d is by %s, submitted by %s, %v", n, m.AuthorID, m.SubmittedByID, err)
		}
	}
	for _, fact := range left(t, pool).Facts {
		if created := fact.(event.MapCreated); created.SubmittedByID != parkourmaptest.PlayerID(2) {
			t.Errorf("fact: %+v", created)
		}
	}
	create(t, store, parkourmaptest.NewMap(4, func(m *parkourmap.Map) { m.AuthorID = parkourmaptest.PlayerID(3) }))
	merged := parkourmap.Player{ID: parkourmaptest.PlayerID(1)}
	require.NoError(t, store.Reassign(t.Context(), parkourmaptest.MapID(4), merged, changedAt, by("root", "")))
	if m, err := store.ByID(t.Context(), parkourmaptest.MapID(4)); err != nil || m.AuthorID != parkourmaptest.PlayerID(2) {
		t.Errorf("reassigned to %s, %v", m.AuthorID, err)
	}
}

func TestStore_Submit_whilePlayersAreMerged(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	for n := 1; n <= 3; n++ {
		take(t, store, n, fmt.Sprintf("player %d", n))
	}
	// 1 into 2 into 3, merged concurrently.
	const maps = 24
	links := map[int]parkourmap.Player{8: tombstone(2, 3), 12: tombstone(1, 2)}
	errs := make([]error, maps)
	var wait sync.WaitGroup
	for i := range maps {
		wait.Go(func() {
			_, errs[i] = store.Submit(t.Context(), parkourmaptest.NewMap(i, func(m *parkourmap.Map) {
				m.AuthorID, m.SubmittedByID = parkourmaptest.PlayerID(1+i%2), parkourmaptest.PlayerID(1+i/2%2)
			}))
			if link, ok := links[i]; ok {
				if err := store.ApplyPlayer(t.Context(), link); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			t.Error(err)
			continue
		}
		entry, err := store.Entry(t.Context(), parkourmaptest.MapID(i))
		if err != nil || entry.AuthorID != parkourmaptest.PlayerID(3) || entry.SubmittedByID != parkourmaptest.PlayerID(3) {
			t.Errorf("map %d is %s's, submitted by %s (%v)", i, entry.AuthorID, entry.SubmittedByID, err)
		}
	}
}

func describedBy(n int) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) {
		m.AuthorID, m.SubmittedByID = parkourmaptest.PlayerID(n), parkourmaptest.PlayerID(n)
		m.Description, m.Tags = "By cloudstep.", []string{"short"}
		m.Contributors = []string{"Former", "cloudstep", "helper"}
	}
}

// The maps of a player whose account was deleted lose their descriptions, and all names of the player go.
func TestStore_ApplyPlayer_deleted(t *testing.T) {
	t.Parallel()
	deleted := parkourmap.Player{ID: parkourmaptest.PlayerID(2), Version: 3, Name: "deleted player 3f2a", Deleted: true}
	merged := parkourmap.Player{
		ID: parkourmaptest.PlayerID(2), Version: 2, Name: "cloudstep", FormerNames: []string{"former"},
	}
	for name, tt := range map[string]struct {
		states []parkourmap.Player
		// contributors are those of the map that the merged player made.
		contributors string
	}{
		"after a merge":  {[]parkourmap.Player{tombstone(1, 2), merged, deleted, deleted}, "{helper}"},
		"before a merge": {[]parkourmap.Player{deleted, tombstone(1, 2), tombstone(1, 2)}, "{cloudstep,helper}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, pool := setup(t)
			take(t, store, 1, "former")
			take(t, store, 2, "cloudstep")
			take(t, store, 3, "other")
			create(t, store, parkourmaptest.NewMap(1, describedBy(1)), parkourmaptest.NewMap(2, describedBy(2)),
				parkourmaptest.NewMap(3, describedBy(3)))
			pgtest.Exec(t, pool, `
				insert into map_edits (id, map_id, at, editor_id, before, after) values
					(gen_random_uuid(), $1, now(), $2, '{"description": "old", "tags": ["a"]}', '{"description": "new", "tags": []}')`,
				parkourmaptest.MapID(2), parkourmaptest.PlayerID(2))
			for _, state := range tt.states {
				tell(t, store, state)
			}
			type row struct{ Description, Tags, Contributors string }
			want := []row{
				{"", "{short}", tt.contributors}, {"", "{short}", "{helper}"},
				{"By cloudstep.", "{short}", "{Former,cloudstep,helper}"},
			}
			got := pgtest.Rows[row](t, pool, `
				select description, tags::text, contributors::text from maps order by game_map_id`)
			checkEqual(t, "maps", want, got)
			edit := pgtest.Value[string](t, pool, `select before::text || after::text from map_edits`)
			if want := `{"tags": ["a"], "description": ""}{"tags": [], "description": ""}`; edit != want {
				t.Errorf("the edit has %s, want %s", edit, want)
			}
			names := pgtest.Value[int](t, pool, `
				select count(*) from players where concat(name, name_key, search_key, former_names) ~* 'cloudstep|former'`)
			if names != 0 {
				t.Errorf("%d copies have an old name", names)
			}
			states := left(t, pool).States
			if last := states[len(states)-1]; last.Version < 2 {
				t.Errorf("the changed map is not published: %+v", last)
			}
			if p, err := store.PlayerNamed(t.Context(), "deleted player 3f2a"); !errors.Is(err, parkourmap.ErrPlayerUnknown) {
				t.Errorf("an account of the game with that name is %+v, %v", p, err)
			}
			if _, err := store.Submit(t.Context(), parkourmaptest.NewMap(4, describedBy(2))); !errors.Is(err,
				event.ErrPlayerDeleted) {
				t.Errorf("a map of the player: %v", err)
			}
		})
	}
}
