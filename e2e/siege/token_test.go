package siege_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

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
