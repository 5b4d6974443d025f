package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/postgres"
)

const (
	ann = "0198c2f4-0000-7000-8000-00000000000a"
	bob = "0198c2f4-0000-7000-8000-00000000000b"
)

func mapID(i int) string { return fmt.Sprintf("0198c2f4-0000-7000-9000-%012d", i) }

type playerTotals struct {
	PlayerID string
	Maps     int64
	Records  int64
}

func TestStore_ApplyMap(t *testing.T) {
	t.Parallel()
	pool := setup(t).Pool
	copies := postgres.NewStore(pool)
	state := func(m, version int, author string) event.MapState {
		return event.MapState{ID: mapID(m), Version: int64(version), AuthorID: author}
	}
	tombstone := func(m, version int) event.MapState {
		return event.MapState{ID: mapID(m), Version: int64(version), Removed: true}
	}
	superseded := func(m, version int, author string) event.MapState {
		return event.MapState{ID: mapID(m), Version: int64(version), AuthorID: author, Superseded: true}
	}
	for _, tt := range []struct {
		name     string
		states   []event.MapState
		ann, bob int64
	}{
		{"one map", []event.MapState{state(1, 1, ann)}, 1, 0},
		{"two maps", []event.MapState{state(1, 1, ann), state(2, 1, ann)}, 2, 0},
		{"the same message twice", []event.MapState{state(1, 1, ann), state(1, 1, ann)}, 1, 0},
		{"a change of something else", []event.MapState{state(1, 1, ann), state(1, 2, ann)}, 1, 0},
		{"another author", []event.MapState{state(1, 1, ann), state(1, 2, bob)}, 0, 1},
		{"another author, received too early", []event.MapState{state(1, 2, bob), state(1, 1, ann)}, 0, 1},
		{"there and back", []event.MapState{state(1, 1, ann), state(1, 2, bob), state(1, 3, ann)}, 1, 0},
		{"a removed map", []event.MapState{state(1, 1, ann), tombstone(1, 2)}, 0, 0},
		{"a removed map, received too early", []event.MapState{tombstone(1, 2), state(1, 1, ann)}, 0, 0},
		{"a second version", []event.MapState{state(1, 1, ann), state(2, 1, ann), superseded(1, 2, ann)}, 1, 0},
		{"a second version by another author", []event.MapState{state(1, 1, ann), superseded(1, 2, ann), state(2, 1, bob)},
			0, 1},
		{"a second version that was removed", []event.MapState{state(1, 1, ann), state(2, 1, ann), superseded(1, 2, ann),
			tombstone(2, 2), state(1, 3, ann)}, 1, 0},
		{"a map that came back", []event.MapState{state(1, 1, ann), tombstone(1, 2), state(1, 3, bob)}, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pgtest.Exec(t, pool, `truncate map_authors, player_totals`)
			for _, s := range tt.states {
				require.NoError(t, copies.ApplyMap(t.Context(), s))
			}
			want := map[string]int64{ann: tt.ann, bob: tt.bob}
			got := map[string]int64{ann: 0, bob: 0}
			for _, total := range pgtest.Rows[playerTotals](t, pool, `select player_id, maps, records from player_totals`) {
				got[total.PlayerID] = total.Maps
			}
			assert.Equal(t, "maps", want, got)
		})
	}
}

// A consumer may get everything twice, in any order, in several replicas.
func TestStore_Apply_in_any_order(t *testing.T) {
	t.Parallel()
	pool := setup(t).Pool
	copies := postgres.NewStore(pool)
	var take []func() error
	const maps, versions = 6, 5
	for m := range maps {
		for v := 1; v <= versions; v++ {
			s := event.MapState{ID: mapID(m), Version: int64(v), AuthorID: []string{ann, bob}[(m+v)%2], Removed: v == versions &&
				m == 0}
			take = append(take, func() error { return copies.ApplyMap(t.Context(), s) })
		}
	}
	for v := 1; v <= versions; v++ {
		s := event.PlayerStats{PlayerID: ann, Version: int64(v), Records: int64(v * 10)}
		take = append(take, func() error { return copies.ApplyStats(t.Context(), s) })
	}
	take = slices.Concat(take, take)
	rand.Shuffle(len(take), func(i, j int) { take[i], take[j] = take[j], take[i] })
	var group errgroup.Group
	group.SetLimit(8)
	for _, one := range take {
		group.Go(one)
	}
	require.NoError(t, group.Wait())
	// At version 5 the even maps are bob's (map 0 is gone) and the odd ones ann's.
	want := []playerTotals{{ann, 3, 50}, {bob, 2, 0}}
	check := func(when string) {
		t.Helper()
		got := pgtest.Rows[playerTotals](t, pool, `select player_id, maps, records from player_totals order by player_id`)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("totals %s (-want +got):\n%s", when, diff)
		}
	}
	check("at the end")

	pgtest.Exec(t, pool, `update player_totals set maps = 9`)
	pgtest.Exec(t, pool, `insert into player_totals (player_id, maps) values ('0198c2f4-0000-7000-8000-00000000000c', 4)`)
	want = append(want, playerTotals{"0198c2f4-0000-7000-8000-00000000000c", 0, 0})
	require.NoError(t, copies.Rebuild(t.Context()))
	check("after a recount")
}
