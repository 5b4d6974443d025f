package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

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
	eventually.WaitFor(t, "the author's profile not to count it", func() bool {
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
