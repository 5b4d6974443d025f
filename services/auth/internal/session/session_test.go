package session_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/session"
)

func TestService_End(t *testing.T) {
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

func TestService_Refresh_of_a_banned_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tokens := []string{b.login(t), b.login(t)}
	banned := cloudstep
	banned.Version, banned.Banned = 2, true
	if err := b.store.ApplyPlayer(t.Context(), banned); err != nil {
		t.Fatal(err)
	}
	for _, token := range tokens {
		_, err := b.Refresh(t.Context(), token)
		if p := problem.From(err); !errors.Is(err, session.ErrEnded) || p.Kind != problem.KindUnauthenticated {
			t.Errorf("error %v, want %v", err, session.ErrEnded)
		}
	}
	if _, err := b.Start(t.Context(), cloudstep); !errors.Is(err, session.ErrBanned) {
		t.Errorf("login with an old state: error %v, want %v", err, session.ErrBanned)
	}
	if _, err := b.Start(t.Context(), banned); !errors.Is(err, session.ErrBanned) {
		t.Errorf("login: error %v, want %v", err, session.ErrBanned)
	}
	unbanned := banned
	unbanned.Version, unbanned.Banned = 3, false
	if _, err := b.Start(t.Context(), unbanned); err != nil {
		t.Errorf("login after the ban: %v", err)
	}
	if _, err := b.Refresh(t.Context(), tokens[0]); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("an old session after the ban: error %v, want %v", err, session.ErrInvalid)
	}
}

func TestService_Sweep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.login(t)
	if n, err := b.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	b.pass(session.Lifetime + time.Second)
	if n, err := b.Sweep(t.Context()); n != 2 || err != nil {
		t.Errorf("swept %d, %v, want a token and a family", n, err)
	}
	if _, err := b.Refresh(t.Context(), token); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("error %v, want %v", err, session.ErrInvalid)
	}
}
