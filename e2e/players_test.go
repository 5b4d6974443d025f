package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

func TestSearchPlayers(t *testing.T) {
	t.Parallel()
	tag := strings.ReplaceAll(account().Name, " ", "_")
	var players []*site.Visitor
	for i, name := range []string{"Anna " + tag, "bert " + tag, "Zoe " + tag} {
		a := account()
		a.Name, a.Level = name, 30-10*i
		players = append(players, loggedIn(t, a))
	}
	cases := []struct {
		name   string
		search api.SearchPlayersParams
		want   []int
	}{
		{"by name by default", api.SearchPlayersParams{Name: tag}, []int{0, 1, 2}},
		{"by name backwards", api.SearchPlayersParams{Name: tag, SortBy: "name", SortDir: "desc"}, []int{2, 1, 0}},
		{"by level", api.SearchPlayersParams{Name: tag, SortBy: "level", SortDir: "asc"}, []int{2, 1, 0}},
		{"newest first", api.SearchPlayersParams{Name: tag, SortBy: "createdAt", SortDir: "desc"}, []int{2, 1, 0}},
		{"by the middle of a name, in other letters", api.SearchPlayersParams{Name: "ERT " + strings.ToUpper(tag)}, []int{1}},
		{"by a name with accents that it has not", api.SearchPlayersParams{Name: "Änná " + tag}, []int{0}},
		{"by what a pattern would mean", api.SearchPlayersParams{Name: "%" + tag}, nil},
		{"on the second page of two", api.SearchPlayersParams{Name: tag, Limit: 2, Page: 2}, []int{2}},
		{"on a page past the end", api.SearchPlayersParams{Name: tag, Limit: 2, Page: 3}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			page, err := newVisitor().SearchPlayers(t.Context(), c.search)
			if err != nil {
				t.Fatal(err)
			}
			var want, got []string
			for _, i := range c.want {
				want = append(want, players[i].Player.Name)
			}
			for _, p := range page.Data {
				got = append(got, p.Name)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("players (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUpdatePlayer_avatar(t *testing.T) {
	t.Parallel()
	m, entry, me := submitted(t)
	id := me.Player.ID
	updated, err := me.UpdatePlayer(t.Context(), id, site.PlayerUpdate{SkinImage: picture()})
	if err != nil {
		t.Fatal(err)
	}
	if updated.SkinImageURL == nil || !strings.HasPrefix(*updated.SkinImageURL, "/media/skins/") {
		t.Fatalf("the avatar is at %v", updated.SkinImageURL)
	}
	servedPicture(t, *updated.SkinImageURL)
	profile, err := newVisitor().PlayerByID(t.Context(), id)
	profile.MapCount, profile.RecordCount = updated.MapCount, updated.RecordCount // they may have arrived in between
	if diff := cmp.Diff(updated, profile); err != nil || diff != "" {
		t.Errorf("read back (-updated +read): %v\n%s", err, diff)
	}
	finished(t, me, m, 39_000)
	eventually.WaitFor(t, "maps and leaderboards to show it", func() bool {
		shown, err := newVisitor().MapByID(t.Context(), entry.ID)
		leaderboard, err2 := newVisitor().Leaderboard(t.Context(), entry.ID, 0, 1)
		return err == nil && err2 == nil && same(shown.Author.SkinImageURL, updated.SkinImageURL) &&
			len(leaderboard.Data) == 1 && same(leaderboard.Data[0].Player.SkinImageURL, updated.SkinImageURL)
	})
}

func same(a, b *string) bool { return a != nil && b != nil && *a == *b }

func TestUpdatePlayer_permissions(t *testing.T) {
	t.Parallel()
	me, stranger := newPlayer(t), newPlayer(t)
	moderator, admin := withRole(t, "moderator"), withRole(t, "admin")
	avatar, roles := site.PlayerUpdate{SkinImage: picture()}, site.PlayerUpdate{Roles: []string{"validator"}}
	allowed := []struct {
		name   string
		who    *site.Visitor
		update site.PlayerUpdate
	}{
		{"a moderator changes an avatar", moderator, avatar},
		{"an admin changes an avatar", admin, avatar},
		{"an admin gives a role", admin, roles},
		{"an admin takes all roles", admin, site.PlayerUpdate{Roles: []string{}}},
	}
	for _, c := range allowed {
		t.Run(c.name, func(t *testing.T) {
			updated, err := c.who.UpdatePlayer(t.Context(), me.Player.ID, c.update)
			if err != nil {
				t.Fatal(err)
			}
			if c.update.Roles != nil {
				if diff := cmp.Diff(c.update.Roles, updated.Roles); diff != "" {
					t.Errorf("roles (-want +got):\n%s", diff)
				}
			}
		})
	}
	refusals := []struct {
		name   string
		who    *site.Visitor
		id     string
		update site.PlayerUpdate
		status int
		code   string
	}{
		{"without logging in", newVisitor(), me.Player.ID, avatar, 401, "token_missing"},
		{"another player's avatar", stranger, me.Player.ID, avatar, 403, "not_allowed"},
		{"a role for oneself", me, me.Player.ID, roles, 403, "admins_only"},
		{"not even a moderator", moderator, moderator.Player.ID, roles, 403, "admins_only"},
		{"an admin's own roles", admin, admin.Player.ID, roles, 422, "own_roles"},
		{"a moderator gives no roles", moderator, me.Player.ID, roles, 403, "admins_only"},
		{"an unknown player", admin, "01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55", avatar, 404, "player_unknown"},
		{"an avatar is a picture", me, me.Player.ID, site.PlayerUpdate{SkinImage: []byte("<svg/>")}, 415,
			"image_type_invalid"},
		{"of at most 1 MB", me, me.Player.ID, site.PlayerUpdate{SkinImage: append(picture(), make([]byte, 1<<20)...)}, 413,
			"image_too_large"},
		{"something is changed", me, me.Player.ID, site.PlayerUpdate{}, 400, ""},
	}
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.who.UpdatePlayer(t.Context(), c.id, c.update)
			if c.code == "" {
				if p, ok := err.(*site.Problem); !ok || p.Status != c.status { //nolint:errorlint // the site's own
					t.Errorf("got %v, want %d", err, c.status)
				}
				return
			}
			refused(t, err, c.status, c.code)
		})
	}
	for _, field := range []string{"name", "level"} {
		t.Run("ignored "+field, func(t *testing.T) {
			var f site.Form
			f.Field(field, "99")
			refusal(t, send(t, admin, f.Request(http.MethodPut, "/players/"+me.Player.ID)), http.StatusForbidden,
				"comes_from_game")
		})
	}
}
