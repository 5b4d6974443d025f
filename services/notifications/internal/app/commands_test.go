package app_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/app"
)

func TestCommands_rebuild(t *testing.T) {
	b := setup(t)
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("joe")
	m := b.newMap("Skyline Run", bob)
	b.publish(ann, bob, m, event.MapState{ID: newID(), Version: 2, Removed: true})
	b.put(joe, "/follows/players/"+ann.ID)
	b.put(joe, "/follows/maps/"+m.ID)
	b.publish(joe, event.PlayerState{ID: ann.ID, Version: 2, Removed: true, MergedInto: bob.ID})
	type row struct{ Copied string }
	copies := func() []row {
		return pgtest.Rows[row](t, b.Pool,
			"select players::text as copied from players union all select maps::text from maps order by 1")
	}
	before, follows := copies(), b.follows(joe)
	pgtest.Exec(t, b.Pool, "truncate players, maps")
	for range 2 {
		out, err := b.Command(app.Commands, "rebuild")
		if err != nil || out != "Rebuilt from 5 states.\n" {
			t.Errorf("printed %q, %v", out, err)
		}
		require.Equal(t, "copies", before, copies())
		if diff := cmp.Diff(follows, b.follows(joe)); diff != "" || follows.Players[0].UnderscoreId != bob.ID {
			t.Errorf("follows (-before +after):\n%s", diff)
		}
	}
}
