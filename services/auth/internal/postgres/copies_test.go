package postgres_test

import (
	"errors"
	"sync"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

func TestStore_ApplyPlayer_keeps_the_newest_state(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := event.PlayerState{
		ID: newID(), Version: 3, Name: "cloudstep", Level: 70, SkinImageURL: "/media/skins/x.webp",
		SkinColor: "#102030",
		Roles:     []string{"admin", "early bird"}, Registered: true,
	}
	if _, err := s.Player(t.Context(), p.ID); !errors.Is(err, session.ErrPlayerUnknown) {
		t.Errorf("before: error %v, want %v", err, session.ErrPlayerUnknown)
	}
	older, newer := p, p
	older.Version, older.Name = 2, "older"
	newer.Version, newer.Roles, newer.SkinImageURL = 4, nil, ""
	newer.Banned, newer.Ban = true, &event.Ban{Until: noon, PublicReason: access.Edited, DecisionID: "d1"}
	for _, tt := range []struct {
		apply []event.PlayerState
		want  event.PlayerState
	}{
		{[]event.PlayerState{p, older, p}, p},
		{[]event.PlayerState{newer}, newer},
	} {
		for _, state := range tt.apply {
			apply(t, s, state)
		}
		got, err := s.Player(t.Context(), p.ID)
		require.NoError(t, err)
		assert.Equal(t, "copy", tt.want, got)
	}
}

func TestStore_ApplyPlayer_revokes_families(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, tt := range []struct {
		name    string
		change  func(p *event.PlayerState)
		revoked bool
	}{
		{"not of a banned player", func(p *event.PlayerState) { p.Banned, p.Ban = true, &event.Ban{} }, false},
		{"of a removed player", func(p *event.PlayerState) {
			*p = event.PlayerState{ID: p.ID, Version: p.Version, Removed: true}
		}, true},
		{"of a merged player", func(p *event.PlayerState) {
			*p = event.PlayerState{ID: p.ID, Version: p.Version, Removed: true, MergedInto: newID()}
		}, true},
		{"of a deleted player", func(p *event.PlayerState) { p.Name, p.Deleted = "deleted player 3f2a", true }, true},
		{"not by a new name", func(p *event.PlayerState) { p.Name = "Cloudstep" }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayer()
			p.Version = 2
			families := []session.Token{start(t, s, p), start(t, s, p)}
			other := start(t, s, newPlayer())
			changed := p
			changed.Version++
			tt.change(&changed)
			apply(t, s, changed)
			for _, token := range families {
				if isRevoked(t, s, token) != tt.revoked {
					t.Errorf("a family is revoked: %t, want %t", !tt.revoked, tt.revoked)
				}
			}
			if isRevoked(t, s, other) {
				t.Error("another player's family is revoked")
			}
			apply(t, s, p)
			got, err := s.Player(t.Context(), p.ID)
			if err != nil || got.Removed != changed.Removed || got.Deleted != changed.Deleted || got.Name != changed.Name {
				t.Errorf("after an old state: %+v, %v", got, err)
			}
			err = s.Start(t.Context(), session.Family{ID: newID(), PlayerID: p.ID}, tokenAt(noon), p)
			if errors.Is(err, session.ErrMerged) != tt.revoked {
				t.Errorf("a login at the same moment: %v", err)
			}
		})
	}
}

func TestStore_a_merge_and_logins_at_once_leave_no_family(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := newPlayer()
	merged := event.PlayerState{ID: p.ID, Version: p.Version + 1, Removed: true, MergedInto: newID()}
	var mu sync.Mutex
	var started []session.Token
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			if n == 10 {
				apply(t, s, merged)
				return
			}
			token := tokenAt(noon)
			err := s.Start(t.Context(), session.Family{ID: newID(), PlayerID: p.ID}, token, p)
			switch {
			case err == nil:
				mu.Lock()
				started = append(started, token)
				mu.Unlock()
			case !errors.Is(err, session.ErrMerged):
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, token := range started {
		if !isRevoked(t, s, token) {
			t.Error("a family lives although its player is merged")
		}
	}
}
