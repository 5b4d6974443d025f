package session_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/session"
	"capzone.dev/services/auth/internal/sessiontest"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

var cloudstep = event.PlayerState{ID: "0198c0de-0000-7000-8000-000000000001", Version: 1, Name: "cloudstep", Level: 70, Roles: []string{}, Registered: true}

// owner is the players service.
type owner struct {
	players map[string]event.PlayerState
	problem error
	asked   int
}

func (o *owner) Player(_ context.Context, id string) (event.PlayerState, error) {
	o.asked++
	if o.problem != nil {
		return event.PlayerState{}, o.problem
	}
	p, ok := o.players[id]
	if !ok {
		return event.PlayerState{}, session.ErrPlayerUnknown
	}
	return p, nil
}

// signer makes tokens that a test can read.
type signer struct{}

func (signer) Sign(p event.PlayerState) (string, error) { return fmt.Sprint(p.Name, p.Roles), nil }

type bundle struct {
	*session.Service
	store *sessiontest.Memory
	owner *owner

	mu  sync.Mutex
	now time.Time
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{store: sessiontest.NewMemory(), owner: &owner{players: map[string]event.PlayerState{}}, now: noon}
	b.Service = &session.Service{
		Families: b.store, Copies: b.store, Owner: b.owner, Signer: signer{},
		NewID: uuid.NewString, Now: b.clock, Log: slog.New(slog.DiscardHandler),
	}
	return b
}

func (b *bundle) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bundle) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

// login starts a session of cloudstep and returns its refresh token.
func (b *bundle) login(t *testing.T) string {
	t.Helper()
	grant, err := b.Start(t.Context(), cloudstep)
	if err != nil {
		t.Fatal(err)
	}
	return grant.RefreshToken
}

// A script is what happens to the tokens of one login: a token is named by its
// place in the list of all that were given out, from 0.
type act struct {
	after   time.Duration // since the act before
	present int
	want    error
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	const second, minute, day = time.Second, time.Minute, 24 * time.Hour
	for _, tt := range []struct {
		name string
		acts []act
	}{
		{"a token is exchanged for the next", []act{{minute, 0, nil}, {minute, 1, nil}, {minute, 2, nil}}},
		{"two tabs at once both go on", []act{{minute, 0, nil}, {0, 0, nil}, {minute, 2, nil}}},
		{"two tabs at once, and the first answer arrives last", []act{{minute, 0, nil}, {9 * second, 0, nil}, {minute, 1, nil}}},
		{"a used token after the grace ends the family", []act{{minute, 0, nil}, {10 * second, 0, session.ErrReused}, {0, 1, session.ErrInvalid}}},
		{"a sibling is used once", []act{{minute, 0, nil}, {second, 0, nil}, {minute, 2, nil}, {minute, 2, session.ErrReused}, {0, 3, session.ErrInvalid}}},
		{"of two siblings one goes on", []act{{minute, 0, nil}, {second, 0, nil}, {minute, 1, nil}, {minute, 2, session.ErrReused}, {0, 3, session.ErrInvalid}}},
		{"a thief who is first is found out by the owner", []act{{minute, 0, nil}, {15 * minute, 0, session.ErrReused}, {0, 1, session.ErrInvalid}}},
		{"a thief who is second is found out", []act{{minute, 0, nil}, {minute, 1, nil}, {minute, 2, nil}, {minute, 1, session.ErrReused}, {0, 3, session.ErrInvalid}}},
		{"the family may move on twice within the grace", []act{{minute, 0, nil}, {second, 1, nil}, {second, 0, nil}, {minute, 3, nil}}},
		{"a token counts for thirty days", []act{{30*day - second, 0, nil}, {30*day - second, 1, nil}}},
		{"and no longer", []act{{30 * day, 0, session.ErrExpired}}},
		{"an expired token is no thief's", []act{{minute, 0, nil}, {30*day - minute, 0, session.ErrExpired}, {0, 1, nil}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			tokens := []string{b.login(t)}
			for i, act := range tt.acts {
				b.pass(act.after)
				grant, err := b.Refresh(t.Context(), tokens[act.present])
				if !errors.Is(err, act.want) || (err == nil) != (act.want == nil) {
					t.Fatalf("act %d: error %v, want %v", i, err, act.want)
				}
				if err == nil {
					if slices.Contains(tokens, grant.RefreshToken) || grant.AccessToken != "cloudstep[]" || grant.Player.ID != cloudstep.ID {
						t.Fatalf("act %d: granted %+v", i, grant)
					}
					tokens = append(tokens, grant.RefreshToken)
				}
			}
		})
	}
}

func TestWhatIsNoToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for presented, want := range map[string]error{"": session.ErrMissing, "made-up": session.ErrInvalid} {
		if _, err := b.Refresh(t.Context(), presented); !errors.Is(err, want) {
			t.Errorf("%q: error %v, want %v", presented, err, want)
		}
	}
}

func TestFiftyRefreshesAtOnceLogNobodyOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.login(t)
	b.pass(time.Minute)
	given := make([]string, 50)
	var all sync.WaitGroup
	for i := range given {
		all.Go(func() {
			grant, err := b.Refresh(t.Context(), first)
			if err != nil {
				t.Error(err)
			}
			given[i] = grant.RefreshToken
		})
	}
	all.Wait()
	b.pass(time.Minute)
	if _, err := b.Refresh(t.Context(), given[49]); err != nil {
		t.Errorf("the token that the browser kept: %v", err)
	}
	b.pass(session.Grace)
	if _, err := b.Refresh(t.Context(), given[7]); !errors.Is(err, session.ErrReused) {
		t.Errorf("another one of the fifty later: error %v, want %v", err, session.ErrReused)
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, other := b.login(t), b.login(t)
	grant, err := b.Refresh(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	for _, presented := range []string{grant.RefreshToken, grant.RefreshToken, "made-up", ""} {
		if err := b.End(t.Context(), presented); err != nil {
			t.Errorf("%q: %v", presented, err)
		}
	}
	for _, presented := range []string{first, grant.RefreshToken} {
		if _, err := b.Refresh(t.Context(), presented); !errors.Is(err, session.ErrInvalid) {
			t.Errorf("after the logout: error %v, want %v", err, session.ErrInvalid)
		}
	}
	if _, err := b.Refresh(t.Context(), other); err != nil {
		t.Errorf("another session of the player: %v", err)
	}
}

func TestNewNamesAndRolesReachTheNextRefresh(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.login(t)
	promoted := cloudstep
	promoted.Version, promoted.Name, promoted.Roles = 2, "Cloudstep", []string{"validator"}
	for _, p := range []event.PlayerState{promoted, cloudstep} {
		if err := b.TakePlayer(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	grant, err := b.Refresh(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(promoted, grant.Player); diff != "" || grant.AccessToken != "Cloudstep[validator]" {
		t.Errorf("token %q (-want +got):\n%s", grant.AccessToken, diff)
	}
}

func TestABanEndsSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tokens := []string{b.login(t), b.login(t)}
	banned := cloudstep
	banned.Version, banned.Banned = 2, true
	if err := b.TakePlayer(t.Context(), banned); err != nil {
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

// forgetful loses its copies of players.
type forgetful struct {
	*sessiontest.Memory
	lost bool
}

func (f *forgetful) Player(ctx context.Context, id string) (event.PlayerState, error) {
	if f.lost {
		return event.PlayerState{}, session.ErrPlayerUnknown
	}
	return f.Memory.Player(ctx, id)
}

func TestAMissingCopyIsAskedFor(t *testing.T) {
	t.Parallel()
	away := problem.Unavailable("service_unavailable", "Away.")
	for _, tt := range []struct {
		name  string
		owner owner
		want  error
	}{
		{"the owner knows", owner{players: map[string]event.PlayerState{cloudstep.ID: cloudstep}}, nil},
		{"the owner does not know", owner{}, session.ErrInvalid},
		{"the owner has removed the player", owner{players: map[string]event.PlayerState{cloudstep.ID: {ID: cloudstep.ID, Version: 9, Removed: true}}}, session.ErrInvalid},
		{"the owner has banned the player", owner{players: map[string]event.PlayerState{cloudstep.ID: {ID: cloudstep.ID, Version: 9, Banned: true}}}, session.ErrEnded},
		{"the owner is away", owner{problem: away}, away},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			token := b.login(t)
			*b.owner = tt.owner
			copies := &forgetful{Memory: b.store, lost: true}
			b.Copies = copies
			if _, err := b.Refresh(t.Context(), token); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if !errors.Is(tt.want, away) {
				return
			}
			// Nothing was used up: long after the grace the same token still counts.
			b.pass(time.Hour)
			copies.lost = false
			if _, err := b.Refresh(t.Context(), token); err != nil {
				t.Errorf("after the outage: %v", err)
			}
		})
	}
}

func TestSweepForgetsWhatHasExpired(t *testing.T) {
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
