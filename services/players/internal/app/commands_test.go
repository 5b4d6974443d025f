package app_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/service"
)

func TestCommands(t *testing.T) {
	b := setup(t)
	ann := b.register("Ann")
	for _, tt := range []struct {
		args string
		said string
		err  string
	}{
		{"grant ann Admin", "Roles of Ann: admin. A logged-in player's token follows within 15 minutes.\n", ""},
		{"grant ann map maker", "Roles of Ann: admin, map maker. A logged-in player's token follows within 15 minutes.\n", ""},
		{"grant ann admin", "", "The player has this role already."},
		{"grant nobody admin", "", `nobody is known as "nobody": a player is known from the first login on, or from the first map of theirs`},
		{"grant ann <b>", "", "A role has 1 to 24 letters, digits, hyphens or spaces."},
		{"revoke ann map maker", "Roles of Ann: admin. A logged-in player's token follows within 15 minutes.\n", ""},
		{"revoke ann admin", "Roles of Ann: none. A logged-in player's token follows within 15 minutes.\n" +
			"There is no admin now. Make one with: players grant NAME admin\n", ""},
		{"ban ann edited her replays", "Ann is banned: edited her replays\n", ""},
		{"ban ann again", "", "The player is banned already."},
		{"unban ann appeal upheld", "Ann is no longer banned.\n", ""},
		{"grant ann", "", service.ErrUsage.Error()},
		{"ban ann", "", service.ErrUsage.Error()},
		{"show", "", service.ErrUsage.Error()},
		{"rebuild now", "", service.ErrUsage.Error()},
	} {
		args := strings.Fields(tt.args)
		said, err := b.command(args[0], args[1:]...)
		if said != tt.said {
			t.Errorf("%s said %q, want %q", tt.args, said, tt.said)
		}
		if got := errorText(err); got != tt.err {
			t.Errorf("%s returned %q, want %q", tt.args, got, tt.err)
		}
	}

	type entry struct{ Actor, Action, Subject, Reason string }
	var log []entry
	rows, err := b.Pool.Query(t.Context(), `select actor, action, subject, reason from audit order by id`)
	must(t, err)
	for rows.Next() {
		var e entry
		must(t, rows.Scan(&e.Actor, &e.Action, &e.Subject, &e.Reason))
		log = append(log, e)
	}
	must(t, rows.Err())
	me := audit.Operator()
	want := []entry{
		{me, "grant role", ann.ID, ""},
		{me, "grant role", ann.ID, ""},
		{me, "revoke role", ann.ID, ""},
		{me, "revoke role", ann.ID, ""},
		{me, "ban player", ann.ID, "edited her replays"},
		{me, "unban player", ann.ID, "appeal upheld"},
	}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	b.awaitState(ann.ID, func(s event.PlayerState) bool { return s.Version == 7 && !s.Banned })

	said := operator(t, b, "show", "ANN")
	for _, line := range []string{"Name         Ann\n", "Id           " + ann.ID + "\n", "Banned       no\n", "Version      7\n"} {
		if !strings.Contains(said, line) {
			t.Errorf("show lacks %q:\n%s", line, said)
		}
	}
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
