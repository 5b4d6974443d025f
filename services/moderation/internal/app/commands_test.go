package app_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/moderation/internal/app"
)

func TestCommands_rebuild(t *testing.T) {
	b := setup(t)
	ann := b.newPlayer("ann")
	b.newMap("Skyline Run", ann)
	pgtest.Exec(t, b.Pool, "truncate players, maps")
	out, err := b.Command(app.Commands, "rebuild")
	require.NoError(t, err)
	if out != "Rebuilt from 2 states.\n" || b.count("select count(*) from players") != 1 ||
		b.count("select count(*) from maps") != 1 {
		t.Errorf("printed %q", out)
	}
}
