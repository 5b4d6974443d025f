package e2e_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

func TestRoles_by_operators(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	name := v.Player.Name
	operate(t, "players", "grant", strings.ToUpper(name), "validator")
	if err := v.AwaitRole(t.Context(), "validator"); err != nil {
		t.Fatal(err)
	}
	if shown := operate(t, "players", "show", name); !strings.Contains(shown, "validator") {
		t.Errorf("players show: %s", shown)
	}
	if _, err := local.Operate(t.Context(), "players", "grant", name, "validator"); err == nil {
		t.Error("a role was granted twice")
	}
	operate(t, "players", "revoke", name, "validator")
	eventually.WaitFor(t, "the role to leave the token", func() bool {
		return v.Refresh(t.Context()) == nil && !slices.Contains(v.Player.Roles, "validator")
	})
	for _, wrong := range [][]string{{"grant"}, {"grant", "unknown name", "admin"}, {"grant", name, "not a role!"},
		{"unheard-of"}} {
		if output, err := local.Operate(t.Context(), "players", wrong...); err == nil {
			t.Errorf("players %v: %s", wrong, output)
		}
	}
}

func TestPlayer_banned(t *testing.T) {
	t.Parallel()
	m, _, _ := submitted(t)
	who := account()
	v := loggedIn(t, who)
	finished(t, v, m, 50_000)
	operate(t, "players", "ban", who.Name, "Tools were used.")

	eventually.WaitFor(t, "the session to say so", func() bool {
		return v.Refresh(t.Context()) == nil && v.Player.Ban != nil
	})
	eventually.WaitFor(t, "runs to be refused, whatever the token says", func() bool {
		_, err := v.SubmitRecord(t.Context(), site.RecordSubmission{Replay: replay(t, m, who.Name, 49_000)})
		return err != nil && strings.Contains(err.Error(), "403 player_banned")
	})
	eventually.WaitFor(t, "maps to be refused", func() bool {
		_, err := v.SubmitMap(t.Context(), submission(t, newMap(who.Name), who.Name))
		return err != nil && strings.Contains(err.Error(), "403 player_banned")
	})
	_, err := v.UpdatePlayer(t.Context(), v.Player.ID, site.PlayerUpdate{SkinImage: picture()})
	refused(t, err, http.StatusForbidden, "player_banned")
	again := capzone.Visitor()
	if _, err := again.Login(t.Context(), who); err != nil || again.Player.Ban == nil {
		t.Errorf("a login while banned: %+v, %v", again.Player, err)
	}
	_, err = again.SubmitRecord(t.Context(), site.RecordSubmission{Replay: replay(t, m, who.Name, 48_500)})
	refused(t, err, http.StatusForbidden, "player_banned")

	operate(t, "players", "unban", who.Name, "It was a mistake.")
	eventually.WaitFor(t, "the player to come back", func() bool {
		again := capzone.Visitor()
		if _, err := again.Login(t.Context(), who); err != nil {
			return false
		}
		_, err := again.SubmitRecord(t.Context(), site.RecordSubmission{Replay: replay(t, m, who.Name, 48_000)})
		return err == nil
	})
}

func TestRemoveRecord_world_record(t *testing.T) {
	t.Parallel()
	needOperator(t)
	ctx := t.Context()
	m, entry, author := submitted(t) // 40 s
	cheat, honest := newPlayer(t), newPlayer(t)
	finished(t, cheat, m, 45_000)
	best := finished(t, cheat, m, 30_000)
	finished(t, honest, m, 42_000)
	eventually.WaitFor(t, "all runs to be counted", func() bool {
		got, err := newVisitor().MapByID(ctx, entry.ID)
		player, err2 := newVisitor().PlayerByID(ctx, cheat.Player.ID)
		return err == nil && err2 == nil && got.RecordCount == 4 && player.RecordCount == 2
	})
	order := func() []string {
		leaderboard, err := newVisitor().Leaderboard(ctx, entry.ID, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range leaderboard.Data {
			names = append(names, r.Player.Name)
		}
		return names
	}
	if diff := cmp.Diff([]string{cheat.Player.Name, author.Player.Name, honest.Player.Name}, order()); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}

	operate(t, "records", "remove", best.Record.ID, "The replay was edited.")
	// Gateways purge the pages when the command's event has been published.
	eventually.WaitFor(t, "the order to be restored", func() bool {
		return slices.Equal([]string{author.Player.Name, honest.Player.Name, cheat.Player.Name}, order())
	})
	_, err := newVisitor().RecordByID(ctx, best.Record.ID)
	refused(t, err, http.StatusNotFound, "record_unknown")
	eventually.WaitFor(t, "the totals of map and player to follow", func() bool {
		got, err := newVisitor().MapByID(ctx, entry.ID)
		player, err2 := newVisitor().PlayerByID(ctx, cheat.Player.ID)
		return err == nil && err2 == nil && got.RecordCount == 3 && player.RecordCount == 1
	})
	t.Run("a run is removed once, and for a reason", func(t *testing.T) {
		for _, wrong := range [][]string{{best.Record.ID, "Again."}, {best.Record.ID},
			{"01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55", "Unknown."}} {
			if output, err := local.Operate(ctx, "records", append([]string{"remove"}, wrong...)...); err == nil {
				t.Errorf("records remove %v: %s", wrong, output)
			}
		}
	})
}

func TestMap_removed(t *testing.T) {
	t.Parallel()
	m, entry, author := submitted(t)
	finished(t, author, m, 39_000)
	operate(t, "maps", "remove", entry.ID, "Made from another's map.")

	// Gateways purge the pages when the command's event has been published.
	var err error
	eventually.WaitFor(t, "the map to go", func() bool {
		_, err = newVisitor().MapByID(t.Context(), entry.ID)
		return err != nil
	})
	refused(t, err, http.StatusNotFound, "map_unknown")
	found, err := newVisitor().SearchMaps(t.Context(), api.SearchMapsParams{AuthorID: author.Player.ID})
	if err != nil || len(found.Data) != 0 {
		t.Errorf("it is found: %+v %v", found.Data, err)
	}
	_, err = author.SubmitMap(t.Context(), submission(t, m, author.Player.Name))
	refused(t, err, http.StatusConflict, "map_removed")
	eventually.WaitFor(t, "its leaderboard to go", func() bool {
		_, err := newVisitor().Leaderboard(t.Context(), entry.ID, 0, 10)
		return err != nil && strings.Contains(err.Error(), "404")
	})
	eventually.WaitFor(t, "its runs to be refused", func() bool {
		_, err := author.SubmitRecord(t.Context(), site.RecordSubmission{Replay: replay(t, m, author.Player.Name, 38_000)})
		return err != nil && strings.Contains(err.Error(), "404")
	})
	eventually.WaitFor(t, "the author's profile to count it no more", func() bool {
		player, err := newVisitor().PlayerByID(t.Context(), author.Player.ID)
		return err == nil && player.MapCount == 0
	})
}

func TestMap_reassigned(t *testing.T) {
	t.Parallel()
	_, entry, wrong := submitted(t)
	right := newPlayer(t)
	operate(t, "maps", "reassign", entry.ID, right.Player.Name)
	eventually.WaitFor(t, "the map to show its author", func() bool {
		got, err := newVisitor().MapByID(t.Context(), entry.ID)
		return err == nil && got.Author.ID == right.Player.ID && got.SubmittedBy.ID == wrong.Player.ID
	})
	eventually.WaitFor(t, "the profiles to count it right", func() bool {
		a, err := newVisitor().PlayerByID(t.Context(), wrong.Player.ID)
		b, err2 := newVisitor().PlayerByID(t.Context(), right.Player.ID)
		return err == nil && err2 == nil && a.MapCount == 0 && b.MapCount == 1
	})
}
