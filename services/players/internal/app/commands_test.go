package app_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/service"
)

const unknownPlayer = `There is no player "nobody". Players are known from their first login or their first map on.`

func TestCommands(t *testing.T) {
	b := setup(t)
	const noAdmin = "There is no admin now. Make one with: players grant NAME admin\n"
	ann := b.register("Ann")
	for _, tt := range []struct {
		args string
		said string
		err  string
	}{
		{"grant ann Map maker", "Roles of Ann: map maker. A logged-in player's token follows within 15 minutes.\n", ""},
		{"grant ann admin", "Roles of Ann: map maker, admin. A logged-in player's token follows within 15 minutes.\n", ""},
		{"grant nobody admin", "", unknownPlayer},
		{"revoke ann map maker", "Roles of Ann: admin. A logged-in player's token follows within 15 minutes.\n", ""},
		{"ban ann edited her replays", "Ann is banned: edited her replays\n" + noAdmin, ""},
		{"unban ann appeal upheld", "Ann is no longer banned.\n", ""},
		{"ban ann until=tomorrow two accounts", "", "A time is written as 2027-01-31 or as 2027-01-31T18:00:00Z."},
		{"ban ann until=2099-01-31T18:00:00+02:00 two accounts", "Ann is banned until 2099-01-31T16:00:00Z: two accounts\n" +
			noAdmin, ""},
		{"grant ann", "", service.ErrUsage.Error()},
		{"ban ann", "", service.ErrUsage.Error()},
		{"show", "", service.ErrUsage.Error()},
		{"rebuild now", "", service.ErrUsage.Error()},
	} {
		args := strings.Fields(tt.args)
		said, err := b.command(args[0], args[1:]...)
		if said != tt.said {
			t.Errorf("%s printed %q, want %q", tt.args, said, tt.said)
		}
		if got := errorText(err); got != tt.err {
			t.Errorf("%s returned %q, want %q", tt.args, got, tt.err)
		}
	}

	type entry struct{ Actor, Action, Reason string }
	log := pgtest.Rows[entry](t, b.Pool, `select actor, action, reason from audit order by id`)
	assert.Equal(t, "audit log", entry{service.Operator().ID, "ban player", "edited her replays"}, log[3])
	b.awaitState(ann.ID, func(s event.PlayerState) bool { return s.Version == 7 && s.Banned })

	said := operator(t, b, "show", "ANN")
	for _, line := range []string{"Name         Ann\n", "Id           " + ann.ID + "\n",
		"Banned       banned until 2099-01-31T16:00:00Z: two accounts\n", "Version      7\n"} {
		if !strings.Contains(said, line) {
			t.Errorf("show lacks %q:\n%s", line, said)
		}
	}
}

func TestCommands_merge(t *testing.T) {
	b := setup(t)
	old, kept := b.register("Ann"), b.register("Anna")
	require.NoError(t, b.Publish(t.Context(), event.PlayerStats{PlayerID: kept.ID, Version: 1, Records: 3}))
	b.awaitCounts(kept.ID, 0, 3)
	for _, tt := range []struct {
		args string
		said string
		err  string
	}{
		{"merge ann", "", service.ErrUsage.Error()},
		{"merge ann anna renamed in May", "ann is Anna now. Records and maps follow in a moment.\n", ""},
		{"merge anna ann", "", "ann was merged into Anna before."},
		{"release anna somebody else's", "", "This is the player's present name. Only a former name can be released."},
	} {
		args := strings.Fields(tt.args)
		said, err := b.command(args[0], args[1:]...)
		if said != tt.said || errorText(err) != tt.err {
			t.Errorf("%s printed %q and returned %q, want %q and %q", tt.args, said, errorText(err), tt.said, tt.err)
		}
	}
	b.awaitState(old.ID, func(s event.PlayerState) bool { return s.Removed && s.MergedInto == kept.ID })
	b.awaitState(kept.ID, func(s event.PlayerState) bool { return cmp.Equal(s.FormerNames, []string{"Ann"}) })
	if said := operator(t, b, "show", "Ann"); !strings.Contains(said, "Formerly     Ann\n") ||
		!strings.Contains(said, kept.ID) {
		t.Errorf("show: %s", said)
	}

	t.Run("the old profile's address shows the player", func(t *testing.T) {
		if p := b.read(old.ID); p.UnderscoreId != kept.ID || p.Name != "Anna" || p.RecordCount != 3 {
			t.Errorf("answered with %+v", p)
		}
	})
	t.Run("neighbours that ask for the old id follow the merge", func(t *testing.T) {
		got, err := ask[event.PlayerState](b, event.GetPlayerSubject, event.GetPlayer{ID: old.ID})
		require.NoError(t, err)
		assert.Equal(t, "state", event.PlayerState{ID: old.ID, Version: 2, Removed: true, MergedInto: kept.ID}, got)
	})
	t.Run("neighbours that ask for the old name get the player", func(t *testing.T) {
		got, err := ask[event.PlayerState](b, event.EnsurePlayerSubject, event.EnsurePlayer{Name: "ANN"})
		if err != nil || got.ID != kept.ID {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("who has the old name in the game now is somebody else", func(t *testing.T) {
		other := b.register("ann")
		if other.ID == old.ID || other.ID == kept.ID || other.Version != 1 {
			t.Errorf("logged in as %+v", other)
		}
		b.awaitState(kept.ID, func(s event.PlayerState) bool { return len(s.FormerNames) == 0 })
		if a := b.get("/api/v1/players/search?name=ann"); a.Pagination["total"] != 2.0 {
			t.Errorf("search finds %s", a.Raw)
		}
	})
}

func errorText(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, service.ErrUsage):
		return service.ErrUsage.Error()
	}
	return err.Error()
}
