package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

func describedBy(n int) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) {
		m.AuthorID, m.SubmittedByID = playerID(n), playerID(n)
		m.Description, m.Tags = "By cloudstep.", []string{"short"}
		m.Contributors = []string{"Former", "cloudstep", "helper"}
	}
}

// The maps of a player whose account was deleted lose their descriptions, and all names of the player go.
func TestStore_ApplyPlayer_deleted(t *testing.T) {
	t.Parallel()
	deleted := parkourmap.Player{ID: playerID(2), Version: 3, Name: "deleted player 3f2a", Deleted: true}
	merged := parkourmap.Player{ID: playerID(2), Version: 2, Name: "cloudstep", FormerNames: []string{"former"}}
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
			create(t, store, newMap(1, describedBy(1)), newMap(2, describedBy(2)), newMap(3, describedBy(3)))
			pgtest.Exec(t, pool, `
				insert into map_edits (id, map_id, at, editor_id, before, after) values
					(gen_random_uuid(), $1, now(), $2, '{"description": "old", "tags": ["a"]}', '{"description": "new", "tags": []}')`,
				mapID(2), playerID(2))
			for _, state := range tt.states {
				apply(t, store, state)
			}
			type row struct{ Description, Tags, Contributors string }
			want := []row{
				{"", "{short}", tt.contributors}, {"", "{short}", "{helper}"},
				{"By cloudstep.", "{short}", "{Former,cloudstep,helper}"},
			}
			got := pgtest.Rows[row](t, pool, `
				select description, tags::text, contributors::text from maps order by game_map_id`)
			assert.Equal(t, "maps", want, got)
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
			checkError(t, "a map of the player", access.ErrDeleted,
				errorOf(store.Submit(t.Context(), newMap(4, describedBy(2)))))
		})
	}
}

// deletedSecond is the state of the second player after the account was deleted.
func deletedSecond(version int64) parkourmap.Player {
	return parkourmap.Player{ID: playerID(2), Version: version, Name: "deleted player 3f2a", Deleted: true}
}

// texts are what a player has written for a map, with the history of its edits.
type texts struct{ Description, Contributors, Edits string }

// textsOf returns the texts of map n.
func textsOf(t *testing.T, pool *postgres.Pool, n int) texts {
	t.Helper()
	return pgtest.Rows[texts](t, pool, `
		select description, contributors::text as contributors, coalesce(
			(select string_agg(after->>'description', ',') from map_edits where map_id = m.id), '') as edits
		from maps m where id = $1`, mapID(n))[0]
}

// write gives map n the texts of a validator.
func write(t *testing.T, pool *postgres.Pool, n int) {
	t.Helper()
	pgtest.Exec(t, pool, `update maps set description = 'By a validator.' where id = $1`, mapID(n))
	pgtest.Exec(t, pool, `
		insert into map_edits (id, map_id, at, editor_id, before, after)
		values (gen_random_uuid(), $1, now(), $2, '{"description": ""}', '{"description": "By a validator."}')`,
		mapID(n), playerID(3))
}

// What others write for the maps of a deleted player stays, whatever states of the player come again.
func TestStore_ApplyPlayer_deleted_again(t *testing.T) {
	t.Parallel()
	type states = []parkourmap.Player
	written := texts{"By a validator.", "{helper}", "By a validator."}
	merged := texts{"By a validator.", "{cloudstep,helper}", "By a validator."} // the other name was not known any more
	empty := texts{"", "{cloudstep,helper}", ""}
	for name, tt := range map[string]struct {
		before []parkourmap.Player
		// writtenFor are the maps that a validator writes for after the states before, and before those after.
		writtenFor []int
		after      []parkourmap.Player
		want       map[int]texts
	}{
		"repeated": {states{deletedSecond(3)}, []int{2}, states{deletedSecond(3)}, map[int]texts{2: written}},
		"the ban has ended": {
			states{deletedSecond(3)}, []int{2}, states{deletedSecond(4), deletedSecond(3)}, map[int]texts{2: written},
		},
		"an earlier merge, repeated": {
			states{deletedSecond(3), tombstone(1, 2)}, []int{1, 2}, states{tombstone(1, 2)},
			map[int]texts{1: merged, 2: written},
		},
		"a merge that comes late": {
			states{deletedSecond(3)}, []int{1, 2}, states{tombstone(1, 2)}, map[int]texts{1: empty, 2: written},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, pool := setup(t)
			take(t, store, 1, "former")
			take(t, store, 2, "cloudstep")
			create(t, store, newMap(1, describedBy(1)))
			create(t, store, newMap(2, describedBy(2), func(m *parkourmap.Map) {
				m.Contributors = []string{"cloudstep", "helper"}
			}))
			for _, state := range tt.before {
				apply(t, store, state)
			}
			for _, n := range tt.writtenFor {
				write(t, pool, n)
			}
			for _, state := range tt.after {
				apply(t, store, state)
			}
			for n, want := range tt.want {
				assert.Equal(t, fmt.Sprintf("map %d", n), want, textsOf(t, pool, n))
			}
		})
	}
}

// begin begins a transaction that is rolled back at the end of the test.
func begin(t *testing.T, pool *postgres.Pool) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	return tx
}

func commit(t *testing.T, tx pgx.Tx) {
	t.Helper()
	require.NoError(t, tx.Commit(t.Context()))
}

// A map that the player submits while the account is being deleted loses the texts too, and the name that the player
// gets meanwhile.
func TestStore_ApplyPlayer_deleted_during_submission(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 2, "cloudstep")
	submitting := begin(t, pool)
	create(t, store.In(submitting), newMap(2, describedBy(2)))
	applied := make(chan error, 1)
	go func() { applied <- store.ApplyPlayer(t.Context(), deletedSecond(3)) }()
	eventually.WaitFor(t, "the copy to wait for the submission", func() bool { return pgtest.Waiting(t, pool) == 1 })
	apply(t, store, parkourmap.Player{ID: playerID(2), Version: 2, Name: "helper", FormerNames: []string{"cloudstep"}})
	commit(t, submitting)
	require.NoError(t, <-applied)
	assert.Equal(t, "the map", texts{Contributors: "{Former}"}, textsOf(t, pool, 2))
}

// A deletion that is interrupted changes nothing. It is repeated when the state is delivered again.
func TestStore_ApplyPlayer_deleted_after_interruption(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 2, "cloudstep")
	create(t, store, newMap(1, describedBy(2)), newMap(2, describedBy(2)))
	locking := begin(t, pool)
	lock(t, locking, "select from maps where id = $1 for update", mapID(2))
	ctx, interrupt := context.WithCancel(t.Context())
	applied := make(chan error, 1)
	go func() { applied <- store.ApplyPlayer(ctx, deletedSecond(3)) }()
	eventually.WaitFor(t, "the deletion to wait for a map", func() bool { return pgtest.Waiting(t, pool) == 1 })
	interrupt()
	if err := <-applied; err == nil {
		t.Fatal("the deletion was not interrupted")
	}
	commit(t, locking)
	if pgtest.Value[bool](t, pool, "select deleted from players") {
		t.Error("the interrupted deletion has changed the copy")
	}
	for n := 1; n <= 2; n++ {
		if description := textsOf(t, pool, n).Description; description == "" {
			t.Errorf("the interrupted deletion has emptied the description of map %d", n)
		}
	}
	apply(t, store, deletedSecond(3))
	for n := 1; n <= 2; n++ {
		if description := textsOf(t, pool, n).Description; description != "" {
			t.Errorf("the description of map %d is %q", n, description)
		}
	}
}

// A merge and the deletion of whom the player was merged into are applied at the same moment, where no copy of the
// latter could be locked.
func TestStore_ApplyPlayer_deleted_during_merge(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 1, "former")
	create(t, store, newMap(1, describedBy(1)))
	locking := begin(t, pool)
	lock(t, locking, "select from maps where id = $1 for update", mapID(1))
	applied := make(chan error, 2)
	for i, state := range []parkourmap.Player{tombstone(1, 2), deletedSecond(3)} {
		go func() { applied <- store.ApplyPlayer(t.Context(), state) }()
		eventually.WaitFor(t, "a transaction to wait for the map", func() bool { return pgtest.Waiting(t, pool) == i+1 })
	}
	commit(t, locking)
	for range 2 {
		require.NoError(t, <-applied)
	}
	if description := textsOf(t, pool, 1).Description; description != "" {
		t.Errorf("the description is %q", description)
	}
}

// Release 1.0.0 has left the names of merged players in their copies.
func TestStore_ApplyPlayer_deleted_with_named_tombstone(t *testing.T) {
	t.Parallel()
	store, pool := setup(t)
	take(t, store, 2, "cloudstep")
	apply(t, store, tombstone(1, 2))
	pgtest.Exec(t, pool, `
		update players set name = 'Former', name_key = 'former', search_key = 'former', former_names = '{old}' where id = $1`,
		playerID(1))
	apply(t, store, deletedSecond(3))
	names := pgtest.Value[string](t, pool, `
		select concat(name, name_key, search_key, former_names) from players where id = $1`, playerID(1))
	if names != "" {
		t.Errorf("the copy of the merged player has %q", names)
	}
}
