package sessiontest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

// Store is what is held to the contract.
type Store interface {
	session.Families
	session.Copies
}

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// Contract holds a store to what the use cases expect of it. open returns an
// empty store.
func Contract(t *testing.T, open func(t *testing.T) Store) {
	t.Helper()
	for name, test := range map[string]func(t *testing.T, s Store){
		"a token is found as it was kept":                     testFind,
		"an unknown token is invalid":                         testUnknown,
		"a rotated token is used, its successor is not":       testRotate,
		"of fifty rotations at once one wins":                 testManyRotations,
		"a sibling is of the present generation":              testSibling,
		"a rotation uses up all tokens of its generation":     testRotationUsesSiblings,
		"siblings and rotations at once leave one generation": testSiblingsAndRotations,
		"an expired token is not rotated":                     testExpired,
		"a revoked family gives nothing":                      testRevoked,
		"a token's family is revoked":                         testRevokeToken,
		"the sweeper takes what has expired, in batches":      testSweep,
		"a copy is kept by version":                           testCopyByVersion,
		"an unknown player is unknown":                        testUnknownPlayer,
		"a ban revokes all families of the player":            testBan,
		"a tombstone revokes all families of the player":      testTombstone,
		"an old state revokes nothing":                        testOldBan,
		"a banned player starts no family":                    testBannedStart,
		"a ban and logins at once leave no living family":     testBanAndLogins,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func testFind(t *testing.T, s Store) {
	t.Helper()
	f, token := start(t, s)
	want := session.TokenState{Family: f, ExpiresAt: token.ExpiresAt}
	if diff := cmp.Diff(want, find(t, s, token)); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func testUnknown(t *testing.T, s Store) {
	t.Helper()
	if _, err := s.Find(t.Context(), tokenAt(noon).Hash); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("error %v, want %v", err, session.ErrInvalid)
	}
	if rotated, err := s.Rotate(t.Context(), tokenAt(noon).Hash, tokenAt(noon)); err != nil || rotated {
		t.Errorf("an unknown token was rotated: %t, %v", rotated, err)
	}
}

func testRotate(t *testing.T, s Store) {
	t.Helper()
	_, first := start(t, s)
	second := tokenAt(noon.Add(time.Minute))
	rotate(t, s, first, second, true)
	if got := find(t, s, first).UsedAt; !got.Equal(second.CreatedAt) {
		t.Errorf("the first token was used at %s, want %s", got, second.CreatedAt)
	}
	if got := find(t, s, second).UsedAt; !got.IsZero() {
		t.Errorf("the second token was used at %s", got)
	}
	rotate(t, s, first, tokenAt(noon.Add(time.Minute)), false)
}

func testManyRotations(t *testing.T, s Store) {
	t.Helper()
	_, first := start(t, s)
	var won atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			rotated, err := s.Rotate(t.Context(), first.Hash, tokenAt(noon.Add(time.Minute)))
			if err != nil {
				t.Error(err)
			}
			if rotated {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d rotations won", won.Load())
	}
}

func testSibling(t *testing.T, s Store) {
	t.Helper()
	f, first := start(t, s)
	second, sibling := tokenAt(noon.Add(time.Minute)), tokenAt(noon.Add(time.Minute+time.Second))
	rotate(t, s, first, second, true)
	addSibling(t, s, f, sibling, true)
	rotate(t, s, sibling, tokenAt(noon.Add(time.Hour)), true)
	if got := find(t, s, first).UsedAt; !got.Equal(second.CreatedAt) {
		t.Errorf("the first token was used at %s, want %s", got, second.CreatedAt)
	}
}

func testRotationUsesSiblings(t *testing.T, s Store) {
	t.Helper()
	f, first := start(t, s)
	second, sibling := tokenAt(noon.Add(time.Minute)), tokenAt(noon.Add(time.Minute))
	rotate(t, s, first, second, true)
	addSibling(t, s, f, sibling, true)
	third := tokenAt(noon.Add(time.Hour))
	rotate(t, s, sibling, third, true)
	rotate(t, s, second, tokenAt(noon.Add(time.Hour)), false)
	for name, token := range map[string]session.Token{"successor": second, "sibling": sibling} {
		if got := find(t, s, token).UsedAt; !got.Equal(third.CreatedAt) {
			t.Errorf("the %s was used at %s, want %s", name, got, third.CreatedAt)
		}
	}
}

func testSiblingsAndRotations(t *testing.T, s Store) {
	t.Helper()
	f, first := start(t, s)
	tokens := make([]session.Token, 0, 61)
	tokens = append(tokens, first)
	var mu sync.Mutex
	var all sync.WaitGroup
	for n := range 60 {
		next := tokenAt(noon.Add(time.Duration(n) * time.Second))
		mu.Lock()
		presented := tokens[len(tokens)-1]
		mu.Unlock()
		all.Go(func() {
			given, err := s.Rotate(t.Context(), presented.Hash, next)
			if err == nil && !given {
				given, err = s.AddSibling(t.Context(), f.ID, next)
			}
			if err != nil || !given {
				t.Errorf("given %t, error %v", given, err)
			}
			mu.Lock()
			tokens = append(tokens, next)
			mu.Unlock()
		})
	}
	all.Wait()
	// All unused tokens are of one generation: when one is rotated, all are used.
	var unused []session.Token
	for _, token := range tokens {
		if find(t, s, token).UsedAt.IsZero() {
			unused = append(unused, token)
		}
	}
	if len(unused) == 0 {
		t.Fatal("no token is left to go on with")
	}
	rotate(t, s, unused[0], tokenAt(noon.Add(time.Hour)), true)
	for _, token := range unused {
		if find(t, s, token).UsedAt.IsZero() {
			t.Error("a token of the same generation is still unused")
		}
		rotate(t, s, token, tokenAt(noon.Add(time.Hour)), false)
	}
}

func testExpired(t *testing.T, s Store) {
	t.Helper()
	_, first := start(t, s)
	rotate(t, s, first, tokenAt(first.ExpiresAt), false)
	rotate(t, s, first, tokenAt(first.ExpiresAt.Add(-time.Second)), true)
}

func testRevoked(t *testing.T, s Store) {
	t.Helper()
	f, first := start(t, s)
	if err := s.Revoke(t.Context(), f.ID, session.ByReuse, noon); err != nil {
		t.Fatal(err)
	}
	if !find(t, s, first).Revoked {
		t.Error("the family is not revoked")
	}
	rotate(t, s, first, tokenAt(noon), false)
	addSibling(t, s, f, tokenAt(noon), false)
}

func testRevokeToken(t *testing.T, s Store) {
	t.Helper()
	_, first := start(t, s)
	_, other := start(t, s)
	for range 2 {
		for _, hash := range []session.Hash{first.Hash, tokenAt(noon).Hash} {
			if err := s.RevokeToken(t.Context(), hash, session.ByLogout, noon); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !find(t, s, first).Revoked || find(t, s, other).Revoked {
		t.Error("the wrong family was revoked")
	}
}

func testSweep(t *testing.T, s Store) {
	t.Helper()
	f, first := start(t, s)
	second := tokenAt(noon.Add(time.Hour))
	rotate(t, s, first, second, true)
	for range 5 {
		addSibling(t, s, f, tokenAt(noon), true)
	}
	swept := 0
	sweep := func(at time.Time) {
		t.Helper()
		for {
			n, err := s.Sweep(t.Context(), at, 2)
			if err != nil {
				t.Fatal(err)
			}
			if n > 2 {
				t.Fatalf("%d in one batch of 2", n)
			}
			if swept += n; n == 0 {
				return
			}
		}
	}
	sweep(first.ExpiresAt)
	if swept != 0 {
		t.Errorf("%d were swept before they expired", swept)
	}
	sweep(first.ExpiresAt.Add(time.Minute))
	if find(t, s, second).Revoked || swept != 6 {
		t.Errorf("%d tokens were swept, want the 6 that have expired", swept)
	}
	sweep(second.ExpiresAt.Add(time.Minute))
	if _, err := s.Find(t.Context(), second.Hash); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("the last token: error %v, want %v", err, session.ErrInvalid)
	}
	addSibling(t, s, f, tokenAt(noon), false)
}

func start(t *testing.T, s Store) (session.Family, session.Token) {
	t.Helper()
	p := player()
	token := startFor(t, s, p)
	return find(t, s, token).Family, token
}

func startFor(t *testing.T, s Store, p event.PlayerState) session.Token {
	t.Helper()
	token := tokenAt(noon)
	if err := s.Start(t.Context(), session.Family{ID: newID(), PlayerID: p.ID}, token, p); err != nil {
		t.Fatal(err)
	}
	return token
}

func player() event.PlayerState {
	return event.PlayerState{ID: newID(), Version: 1, Name: "cloudstep", Roles: []string{}, Registered: true}
}

func find(t *testing.T, s Store, token session.Token) session.TokenState {
	t.Helper()
	found, err := s.Find(t.Context(), token.Hash)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func rotate(t *testing.T, s Store, presented, next session.Token, want bool) {
	t.Helper()
	if got, err := s.Rotate(t.Context(), presented.Hash, next); err != nil || got != want {
		t.Errorf("rotated: %t, %v, want %t", got, err, want)
	}
}

func addSibling(t *testing.T, s Store, f session.Family, next session.Token, want bool) {
	t.Helper()
	if got, err := s.AddSibling(t.Context(), f.ID, next); err != nil || got != want {
		t.Errorf("added a sibling: %t, %v, want %t", got, err, want)
	}
}

var tokens atomic.Int64

func tokenAt(at time.Time) session.Token {
	var hash session.Hash
	copy(hash[:], fmt.Sprint("token ", tokens.Add(1)))
	return session.Token{Hash: hash, CreatedAt: at, ExpiresAt: at.Add(session.Lifetime)}
}

func newID() string { return uuid.NewString() }
