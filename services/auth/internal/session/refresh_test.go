package session_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/session"
)

func TestTokenState_Exchange(t *testing.T) {
	t.Parallel()
	reused := session.Exchange{Revoke: session.ByReuse, Refusal: session.ErrReused}
	for _, tt := range []struct {
		name  string
		token session.TokenState
		want  session.Exchange
	}{
		{"unused", session.TokenState{}, session.Exchange{UsesUp: true}},
		{"used just now", session.TokenState{UsedAt: noon}, session.Exchange{}},
		{"used by a request that has arrived later", session.TokenState{UsedAt: noon.Add(time.Second)}, session.Exchange{}},
		{"used within the grace", session.TokenState{UsedAt: noon.Add(time.Millisecond - session.Grace)}, session.Exchange{}},
		{"used before the grace", session.TokenState{UsedAt: noon.Add(-session.Grace)}, reused},
		{"expired", session.TokenState{ExpiresAt: noon}, session.Exchange{Refusal: session.ErrExpired}},
		{"revoked", session.TokenState{Revoked: true, ExpiresAt: noon}, session.Exchange{Refusal: session.ErrInvalid}},
	} {
		if tt.token.ExpiresAt.IsZero() {
			tt.token.ExpiresAt = noon.Add(time.Millisecond)
		}
		if got := tt.token.Exchange(noon); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestSessions_Refresh(t *testing.T) {
	t.Parallel()
	const second, minute, day = time.Second, time.Minute, 24 * time.Hour
	// A step presents a token of one login, named by its place in the list of all that were given
	// out, from 0.
	type step struct {
		after   time.Duration // since the step before
		present int
		want    error
	}
	for _, tt := range []struct {
		name  string
		steps []step
	}{
		{"a token is exchanged for the next", []step{{minute, 0, nil}, {minute, 1, nil}, {minute, 2, nil}}},
		{"two tabs at once", []step{{minute, 0, nil}, {0, 0, nil}, {minute, 2, nil}}},
		{"two tabs at once, the first answer arrives last",
			[]step{{minute, 0, nil}, {9 * second, 0, nil}, {minute, 1, nil}}},
		{"the answer was lost", []step{{minute, 0, nil}, {59 * second, 0, nil}, {day, 2, nil}}},
		{"two answers were lost", []step{{minute, 0, nil}, {second, 0, nil}, {second, 0, nil}, {day, 3, nil}}},
		{"a used token after a minute", []step{{minute, 0, nil}, {minute, 0, session.ErrReused}, {0, 1,
			session.ErrInvalid}}},
		{"a request that was under way while the family moved on twice", []step{{minute, 0, nil}, {second, 1, nil},
			{second, 0, nil}, {minute, 3, nil}}},
		{"a thief who is first", []step{{minute, 0, nil}, {15 * minute, 1, nil}, {minute, 0, session.ErrReused}, {0, 2,
			session.ErrInvalid}}},
		{"a thief who is second", []step{{minute, 0, nil}, {15 * minute, 0, session.ErrReused}, {0, 1,
			session.ErrInvalid}}},
		{"a thief who is second within the minute", []step{{minute, 0, nil}, {second, 0, nil}, {15 * minute, 1, nil},
			{minute, 2, session.ErrReused}, {0, 3, session.ErrInvalid}}},
		{"a token is valid for thirty days", []step{{30*day - second, 0, nil}, {30*day - second, 1, nil}}},
		{"and no longer", []step{{30 * day, 0, session.ErrExpired}}},
		{"an expired token does not end the family", []step{{minute, 0, nil}, {minute, 1, nil}, {30*day - 2*minute, 0,
			session.ErrExpired}, {0, 2, nil}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			tokens := []string{b.login(t)}
			for i, step := range tt.steps {
				b.pass(step.after)
				grant, err := b.Refresh(t.Context(), tokens[step.present])
				if !errors.Is(err, step.want) || (err == nil) != (step.want == nil) {
					t.Fatalf("step %d: error %v, want %v", i, err, step.want)
				}
				if err != nil {
					continue
				}
				if slices.Contains(tokens, grant.RefreshToken) || grant.AccessToken != "cloudstep[]" ||
					grant.Player.ID != cloudstep.ID {
					t.Fatalf("step %d: granted %+v", i, grant)
				}
				tokens = append(tokens, grant.RefreshToken)
			}
		})
	}
}

func TestSessions_Refresh_of_no_token(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for presented, want := range map[string]error{"": session.ErrMissing, "made-up": session.ErrInvalid} {
		if _, err := b.Refresh(t.Context(), presented); !errors.Is(err, want) {
			t.Errorf("%q: error %v, want %v", presented, err, want)
		}
	}
}

func TestSessions_Refresh_by_50_tabs_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.login(t)
	b.pass(time.Minute)
	given := make([]string, 50)
	var all sync.WaitGroup
	for i := range given {
		all.Go(func() { given[i] = b.refresh(t, first) })
	}
	all.Wait()
	if unused := pgtest.Value[int](t, b.pool, `select count(*) from refresh_tokens where used_at is null`); unused != 50 {
		t.Errorf("the family has %d unused tokens, want 50", unused)
	}
	b.pass(time.Minute)
	b.refresh(t, given[49])
	b.pass(session.Grace)
	if _, err := b.Refresh(t.Context(), given[7]); !errors.Is(err, session.ErrReused) {
		t.Errorf("another one of the fifty later: error %v, want %v", err, session.ErrReused)
	}
}

// slowFamilies answers after a time.
type slowFamilies struct {
	session.FamilyStore
	wait func()
}

func (s slowFamilies) Family(ctx context.Context, presented session.Hash) (session.Family, error) {
	s.wait()
	return s.FamilyStore.Family(ctx, presented)
}

// A database that stalls makes a token old neither for the request that waits for it, nor for the next one.
func TestSessions_Refresh_by_a_slow_database(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.login(t)
	b.Families = slowFamilies{b.store, func() { b.pass(session.Grace / 2) }}
	b.refresh(t, token)
	b.pass(session.Grace - time.Second)
	b.refresh(t, token)
}

func TestSessions_Refresh_gives_new_names_and_roles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.login(t)
	promoted := cloudstep
	promoted.Version, promoted.Name, promoted.Roles = 2, "Cloudstep", []string{"validator"}
	for _, p := range []event.PlayerState{promoted, cloudstep} {
		require.NoError(t, b.store.ApplyPlayer(t.Context(), p))
	}
	grant, err := b.Refresh(t.Context(), token)
	require.NoError(t, err)
	want := promoted
	if diff := cmp.Diff(want, grant.Player); diff != "" || grant.AccessToken != "Cloudstep[validator]" {
		t.Errorf("token %q (-want +got):\n%s", grant.AccessToken, diff)
	}
}

func TestSessions_Refresh_without_a_copy_of_the_player(t *testing.T) {
	t.Parallel()
	away := problem.Unavailable("service_unavailable", "Away.")
	known := func(p event.PlayerState) players {
		return players{known: map[string]event.PlayerState{cloudstep.ID: p}}
	}
	for _, tt := range []struct {
		name    string
		players players
		want    error
	}{
		{"known to the players service", known(cloudstep), nil},
		{"unknown to the players service", players{}, session.ErrInvalid},
		{"removed", known(event.PlayerState{ID: cloudstep.ID, Version: 9, Removed: true}), session.ErrInvalid},
		{"banned", known(event.PlayerState{ID: cloudstep.ID, Version: 9, Name: "cloudstep", Banned: true}), nil},
		{"the players service is away", players{problem: away}, away},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			token := b.login(t)
			*b.players = tt.players
			pgtest.Exec(t, b.pool, `truncate players`)
			if _, err := b.Refresh(t.Context(), token); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if !errors.Is(tt.want, away) {
				return
			}
			// The refused refresh has used up nothing.
			*b.players = known(cloudstep)
			b.pass(time.Hour)
			b.refresh(t, b.refresh(t, token))
		})
	}
}
