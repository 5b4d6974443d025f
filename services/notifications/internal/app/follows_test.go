package app_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

// wireFollows are whom and what a player follows in the API.
type wireFollows struct {
	Players []wirePlayer `json:"players"`
	Maps    []wireMap    `json:"maps"`
}

type wirePlayer struct {
	ID           string  `json:"_id"`
	Name         string  `json:"name"`
	SkinImageURL *string `json:"skinImageUrl"`
	SkinColor    *string `json:"skinColor"`
}

type wireMap struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// reference returns a player as lists name them.
func reference(p event.PlayerState) wirePlayer {
	return wirePlayer{ID: p.ID, Name: p.Name, SkinColor: &p.SkinColor}
}

func (b *bundle) follows(by event.PlayerState) wireFollows {
	b.t.Helper()
	return servicetest.Data[wireFollows](b.t, b.get(by, "/follows"))
}

// isFollowing returns what the API answers of one player or map.
func (b *bundle) isFollowing(by event.PlayerState, path string) bool {
	b.t.Helper()
	return servicetest.Data[struct{ Following bool }](b.t, b.get(by, path)).Following
}

// A player whose account was deleted cannot be followed. A follow that was left can be undone.
func TestAPI_follows_of_a_deleted_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	b.publish(ann, event.PlayerState{ID: bob.ID, Version: 2, Name: "deleted player", Deleted: true})
	path := "/follows/players/" + bob.ID
	if a := b.do(ann, http.MethodPut, path, nil); a.Code != "player_unknown" {
		t.Errorf("PUT: %d %s", a.Status, a.Raw)
	}
	pgtest.Exec(t, b.Pool, "insert into player_follows (follower_id, player_id) values ($1, $2)", ann.ID, bob.ID)
	if a := b.do(ann, http.MethodDelete, path, nil); a.Status != http.StatusNoContent {
		t.Errorf("DELETE: %d %s", a.Status, a.Raw)
	}
	if got := b.count("select count(*) from player_follows"); got != 0 {
		t.Errorf("%d follows, want none", got)
	}
}

func TestAPI_follow_and_unfollow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("Bob"), b.newPlayer("joe")
	skyline, tower := b.newMap("skyline", joe), b.newMap("Tower", joe)

	paths := []string{"/follows/players/" + joe.ID, "/follows/players/" + bob.ID, "/follows/maps/" + tower.ID,
		"/follows/maps/" + skyline.ID}
	for _, path := range paths {
		if b.isFollowing(ann, path) {
			t.Errorf("%s: followed before", path)
		}
		for range 2 {
			b.put(ann, path)
		}
		if !b.isFollowing(ann, path) || b.isFollowing(bob, path) {
			t.Errorf("%s: not followed by the caller alone", path)
		}
	}
	want := wireFollows{
		Players: []wirePlayer{reference(bob), reference(joe)},
		Maps:    []wireMap{{skyline.ID, "skyline"}, {tower.ID, "Tower"}},
	}
	if diff := cmp.Diff(want, b.follows(ann)); diff != "" {
		t.Errorf("follows (-want +got):\n%s", diff)
	}
	for _, path := range paths {
		for range 2 {
			if a := b.do(ann, http.MethodDelete, path, nil); a.Status != http.StatusNoContent || len(a.Raw) > 0 {
				t.Errorf("DELETE %s: %d %s", path, a.Status, a.Raw)
			}
		}
		if b.isFollowing(ann, path) {
			t.Errorf("%s: followed still", path)
		}
	}
	if diff := cmp.Diff(wireFollows{Players: []wirePlayer{}, Maps: []wireMap{}}, b.follows(ann)); diff != "" {
		t.Errorf("follows (-want +got):\n%s", diff)
	}
}
