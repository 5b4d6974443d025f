package session_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

func TestSessions_End(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, other := b.login(t), b.login(t)
	next := b.refresh(t, first)
	for _, presented := range []string{next, next, "made-up", ""} {
		if err := b.End(t.Context(), presented); err != nil {
			t.Errorf("%q: %v", presented, err)
		}
	}
	for _, presented := range []string{first, next} {
		if _, err := b.Refresh(t.Context(), presented); !errors.Is(err, session.ErrInvalid) {
			t.Errorf("after the logout: error %v, want %v", err, session.ErrInvalid)
		}
	}
	b.refresh(t, other)
}

// A session goes on over refreshes until the logout, or until no refresh comes in time.
func TestSessions_CheckSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var ids []string
	b.NewID = func() string {
		ids = append(ids, uuid.NewString())
		return ids[len(ids)-1]
	}
	ended, other := b.login(t), b.login(t)
	check := func(id string, want error) {
		t.Helper()
		if _, err := b.CheckSession(t.Context(), event.CheckSession{SessionID: id}); !errors.Is(err, want) {
			t.Errorf("session %q: error %v, want %v", id, err, want)
		}
	}
	b.refresh(t, ended)
	check(ids[0], nil)
	require.NoError(t, b.End(t.Context(), ended))
	check(ids[0], session.ErrEnded)
	check(ids[1], nil)
	check(uuid.NewString(), session.ErrEnded)
	check("", session.ErrEnded)
	b.pass(session.Lifetime / 2)
	b.refresh(t, other)
	b.pass(session.Lifetime / 2)
	check(ids[1], nil)
	b.pass(session.Lifetime / 2)
	check(ids[1], session.ErrEnded)
}

// A banned player logs in and stays logged in, without roles. When the ban ends, the roles are there again.
func TestSessions_of_a_banned_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	moderator := cloudstep
	moderator.Roles = []string{"moderator"}
	grant, err := b.Start(t.Context(), moderator)
	require.NoError(t, err)
	banned := moderator
	banned.Version, banned.Banned = 2, true
	banned.Ban = &event.Ban{Until: noon.Add(time.Hour), PublicReason: access.Edited, DecisionID: "d1"}
	require.NoError(t, b.store.ApplyPlayer(t.Context(), banned))
	want := banned
	want.Roles = []string{}
	check := func(when string, grant session.Grant, err error) {
		t.Helper()
		if err != nil || grant.AccessToken != "cloudstep[]" {
			t.Errorf("%s: %q, %v", when, grant.AccessToken, err)
		}
		assert.Equal(t, when, want, grant.Player)
	}
	refreshed, err := b.Refresh(t.Context(), grant.RefreshToken)
	check("refresh", refreshed, err)
	login, err := b.Start(t.Context(), banned)
	check("login", login, err)
	again, err := b.Refresh(t.Context(), login.RefreshToken)
	check("refresh after the login", again, err)

	unbanned := moderator
	unbanned.Version = 3
	require.NoError(t, b.store.ApplyPlayer(t.Context(), unbanned))
	for _, raw := range []string{refreshed.RefreshToken, again.RefreshToken} {
		grant, err := b.Refresh(t.Context(), raw)
		if err != nil || grant.AccessToken != "cloudstep[moderator]" || grant.Player.Ban != nil {
			t.Errorf("after the ban: %+v, %v", grant, err)
		}
	}
}

func TestSessions_Start_of_a_removed_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	removed := event.PlayerState{ID: cloudstep.ID, Version: 2, Removed: true}
	require.NoError(t, b.store.ApplyPlayer(t.Context(), removed))
	for _, player := range []event.PlayerState{removed, cloudstep} {
		if _, err := b.Start(t.Context(), player); !errors.Is(err, session.ErrMerged) {
			t.Errorf("in version %d: error %v, want %v", player.Version, err, session.ErrMerged)
		}
	}
}

func TestSessions_Refresh_of_a_purged_session(t *testing.T) {
	t.Parallel()
	b := setup(t)
	raw := b.login(t)
	if n, err := b.store.PurgeSessions(t.Context(), b.now); n != 0 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
	b.pass(session.Lifetime + time.Second)
	if n, err := b.store.PurgeSessions(t.Context(), b.now); n != 2 || err != nil {
		t.Errorf("purged %d, %v, want a token and a family", n, err)
	}
	if _, err := b.Refresh(t.Context(), raw); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("error %v, want %v", err, session.ErrInvalid)
	}
}

func TestSessions_ExportID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, tt := range []struct {
		name  string
		state event.PlayerState
		want  error
	}{
		{"a player", event.PlayerState{Name: "cloudstep"}, nil},
		{"a merged player", event.PlayerState{Removed: true, MergedInto: uuid.NewString()}, nil},
		{"a deleted player", event.PlayerState{Name: "deleted player 3f2a", Deleted: true}, access.ErrDeleted},
	} {
		tt.state.ID, tt.state.Version = uuid.NewString(), 2
		require.NoError(t, b.store.ApplyPlayer(t.Context(), tt.state))
		if id, err := b.ExportID(t.Context(), tt.state.ID); !errors.Is(err, tt.want) || err == nil && id != tt.state.ID {
			t.Errorf("%s: %q, %v, want %v", tt.name, id, err, tt.want)
		}
	}
	unknown := uuid.NewString()
	if id, err := b.ExportID(t.Context(), unknown); id != unknown || err != nil {
		t.Errorf("a player whose copy has not arrived: %q, %v", id, err)
	}
}

func TestCauseOf(t *testing.T) {
	t.Parallel()
	for want, p := range map[session.Cause]event.PlayerState{
		"": {Banned: true}, session.ByMerge: {Removed: true}, session.ByDeletion: {Deleted: true},
	} {
		if got := session.CauseOf(p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}
