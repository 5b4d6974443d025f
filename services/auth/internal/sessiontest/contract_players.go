package sessiontest

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

func testCopyByVersion(t *testing.T, s Store) {
	t.Helper()
	p := event.PlayerState{
		ID: newID(), Version: 3, Name: "cloudstep", Level: 70, SkinImageURL: "/media/skins/x.webp", SkinColor: "#102030",
		Roles: []string{"admin", "early bird"}, Registered: true,
	}
	older := p
	older.Version, older.Name = 2, "older"
	for _, state := range []event.PlayerState{p, older, p} {
		take(t, s, state)
	}
	copied(t, s, p)
	newer := p
	newer.Version, newer.Roles, newer.SkinImageURL = 4, []string{}, ""
	take(t, s, newer)
	copied(t, s, newer)
}

func testUnknownPlayer(t *testing.T, s Store) {
	t.Helper()
	if _, err := s.Player(t.Context(), newID()); !errors.Is(err, session.ErrPlayerUnknown) {
		t.Errorf("error %v, want %v", err, session.ErrPlayerUnknown)
	}
}

func testBan(t *testing.T, s Store) {
	t.Helper()
	p := player()
	families := []session.Token{startFor(t, s, p), startFor(t, s, p)}
	_, other := start(t, s)
	p.Version, p.Banned = p.Version+1, true
	take(t, s, p)
	for _, token := range families {
		if !find(t, s, token).Revoked {
			t.Error("a family of the banned player lives")
		}
	}
	if find(t, s, other).Revoked {
		t.Error("somebody else's family was revoked")
	}
	copied(t, s, p)
}

func testTombstone(t *testing.T, s Store) {
	t.Helper()
	for _, into := range []string{"", newID()} {
		testTombstoneOf(t, s, into)
	}
}

// testTombstoneOf is about a player who was merged into another, or simply is no more.
func testTombstoneOf(t *testing.T, s Store, into string) {
	t.Helper()
	p := player()
	token := startFor(t, s, p)
	take(t, s, event.PlayerState{ID: p.ID, Version: p.Version + 1, Removed: true, MergedInto: into})
	if !find(t, s, token).Revoked {
		t.Error("a family of the removed player lives")
	}
	take(t, s, p)
	if got, err := s.Player(t.Context(), p.ID); err != nil || !got.Removed {
		t.Errorf("an old state brought the player back: %+v, %v", got, err)
	}
}

func testOldBan(t *testing.T, s Store) {
	t.Helper()
	p := player()
	old := p
	p.Version++
	token := startFor(t, s, p)
	old.Banned = true
	take(t, s, old)
	if find(t, s, token).Revoked {
		t.Error("a ban that was lifted revoked a family")
	}
}

func testBannedStart(t *testing.T, s Store) {
	t.Helper()
	p := player()
	banned := p
	banned.Version, banned.Banned = p.Version+1, true
	take(t, s, banned)
	token := tokenAt(noon)
	err := s.Start(t.Context(), session.Family{ID: newID(), PlayerID: p.ID}, token, p)
	if !errors.Is(err, session.ErrBanned) {
		t.Errorf("error %v, want %v", err, session.ErrBanned)
	}
	if _, err := s.Find(t.Context(), token.Hash); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("the token is known: %v", err)
	}
}

func testBanAndLogins(t *testing.T, s Store) {
	t.Helper()
	p := player()
	banned := p
	banned.Version, banned.Banned = p.Version+1, true
	var mu sync.Mutex
	var started []session.Token
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			if n == 10 {
				take(t, s, banned)
				return
			}
			token := tokenAt(noon)
			err := s.Start(t.Context(), session.Family{ID: newID(), PlayerID: p.ID}, token, p)
			switch {
			case err == nil:
				mu.Lock()
				started = append(started, token)
				mu.Unlock()
			case !errors.Is(err, session.ErrBanned):
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, token := range started {
		if !find(t, s, token).Revoked {
			t.Error("a family lives although its player is banned")
		}
	}
}

func take(t *testing.T, s Store, p event.PlayerState) {
	t.Helper()
	if err := s.TakePlayer(t.Context(), p, noon); err != nil {
		t.Error(err)
	}
}

func copied(t *testing.T, s Store, want event.PlayerState) {
	t.Helper()
	got, err := s.Player(t.Context(), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Kept(want), Kept(got)); diff != "" {
		t.Errorf("copy (-want +got):\n%s", diff)
	}
}

// Kept is the part of a player's state that a copy keeps.
func Kept(p event.PlayerState) event.PlayerState {
	return event.PlayerState{
		ID: p.ID, Version: p.Version, Removed: p.Removed, Name: p.Name, Level: p.Level,
		SkinImageURL: p.SkinImageURL, SkinColor: p.SkinColor, Roles: p.Roles, Banned: p.Banned,
	}
}
