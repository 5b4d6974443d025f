package siege_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/platform/personal"
)

// Few of the personal tokens that an address guesses are looked up.
func TestTokens_guessed(t *testing.T) {
	const addresses, guesses = 10, 100
	var mu sync.Mutex
	statuses := map[int]int{}
	readWhile(t, time.Second, func(ctx context.Context) {
		var attackers sync.WaitGroup
		for range addresses {
			attackers.Go(func() {
				attacker := newVisitor()
				for range guesses {
					attacker.Token = personal.NewToken()
					answer, err := attacker.Send(ctx, site.Request{Path: "/stats"})
					if err != nil {
						continue
					}
					mu.Lock()
					statuses[answer.Status]++
					mu.Unlock()
				}
			})
		}
		attackers.Wait()
	})
	const lookedUp = 30 // by each address in a minute
	if statuses[http.StatusOK] > 0 || statuses[http.StatusUnauthorized] > addresses*2*lookedUp ||
		statuses[http.StatusTooManyRequests] < addresses*guesses/3 {
		t.Errorf("%d guesses of each of %d addresses are answered %v", guesses, addresses, statuses)
	}
}

// A leaked token has one limit, however many addresses use it. Once its player has revoked it, it is refused to all of
// them, also to those that are using it.
func TestTokens_leaked(t *testing.T) {
	owner := newPlayer(t)
	made, err := owner.CreateToken(t.Context(), api.NewToken{
		Name: "leaked", Scopes: []api.TokenScope{api.ScopeReadInbox}, ExpiresInDays: 1,
	})
	require.NoError(t, err)
	token := made.Token
	if !personal.IsToken(token) {
		t.Fatalf("%+v", made)
	}
	type outcome struct {
		began  time.Time
		status int
	}
	var mu sync.Mutex
	var outcomes []outcome
	count := func(matches func(outcome) bool) (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, o := range outcomes {
			if matches(o) {
				n++
			}
		}
		return n
	}
	readWhile(t, patience, func(ctx context.Context) {
		ctx, stop := context.WithCancel(ctx)
		var attackers sync.WaitGroup
		defer attackers.Wait()
		defer stop()
		for range 4 {
			attackers.Go(func() {
				for ctx.Err() == nil {
					attacker := newVisitor()
					attacker.Token = token
					began := time.Now()
					answer, err := attacker.Send(ctx, site.Request{Path: "/inbox/count"})
					if err != nil {
						continue
					}
					mu.Lock()
					outcomes = append(outcomes, outcome{began, answer.Status})
					mu.Unlock()
				}
			})
		}
		eventually.WaitFor(t, "the limit", func() bool {
			return count(func(o outcome) bool { return o.status == http.StatusTooManyRequests }) > 0
		})
		revoked, err := owner.Send(ctx, site.Request{
			Method: http.MethodDelete, Path: "/tokens/" + made.PersonalToken.ID,
		})
		require.NoError(t, err)
		if revoked.Status != http.StatusNoContent {
			t.Errorf("the revocation is answered %d %s", revoked.Status, revoked.Body)
		}
		secondLater := time.Now().Add(time.Second)
		eventually.WaitFor(t, "requests a second later", func() bool {
			return count(func(o outcome) bool { return o.began.After(secondLater) }) > 20
		})
		if got := count(func(o outcome) bool {
			return o.began.After(secondLater) && o.status != http.StatusUnauthorized
		}); got > 0 {
			t.Errorf("%d requests that began a second after the revocation are not answered 401", got)
		}
	})
	accepted := count(func(o outcome) bool { return o.status == http.StatusOK })
	t.Logf("%d of %d requests by the leaked token were accepted", accepted, len(outcomes))
	const perMinute = 300 // of the token
	if accepted == 0 || accepted > 2*perMinute {
		t.Errorf("%d requests were accepted, want about %d", accepted, perMinute)
	}
}
