package chaos

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

const (
	sessions     = 10
	kills        = 3
	refreshPause = 200 * time.Millisecond // between two of one session
)

// TestRefresh_while_auth_is_killed refreshes ten sessions all the time while both replicas of auth are killed, three
// times. A refresh is refused with 503 and Retry-After, never with 401, which would log the browser out, and every
// session goes on when auth is back.
func TestRefresh_while_auth_is_killed(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()

	var mu sync.Mutex
	outcomes := map[string]int{}
	refreshed := make([]time.Time, sessions) // when each session was refreshed last
	for i := range sessions {
		v := capzone.Visitor()
		_, err := v.Login(t.Context(), users.newAccount())
		require.NoError(t, err)
		group.Go(func() {
			for ctx.Err() == nil {
				err := refresh(t.Context(), v)
				mu.Lock()
				outcomes[outcomeOf(err)]++
				if err == nil {
					refreshed[i] = time.Now()
				}
				mu.Unlock()
				if err != nil && !isRefusal(err) {
					t.Errorf("session %d: %v", i, err)
				}
				select {
				case <-ctx.Done():
				case <-time.After(refreshPause):
				}
			}
		})
	}
	for range kills {
		_, err := kill("auth.1", "auth.2")(t.Context())
		require.NoError(t, err)
		killed := time.Now()
		pause(t, calm) // auth is not back so soon
		since := time.Now()
		eventually.WaitFor(t, "all sessions are refreshed", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return !slices.ContainsFunc(refreshed, func(at time.Time) bool { return at.Before(since) })
		})
		t.Logf("all sessions were refreshed %.1f s after auth was killed", time.Since(killed).Seconds())
	}
	stop()
	group.Wait()
	for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
		t.Logf("%4d × %s", outcomes[outcome], outcome)
	}
	isUnavailable := func(outcome string) bool { return strings.HasPrefix(outcome, "503") }
	if !slices.ContainsFunc(slices.Collect(maps.Keys(outcomes)), isUnavailable) {
		t.Error("no refresh was refused, so auth was not away")
	}
}

func refresh(ctx context.Context, v *site.Visitor) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return v.Refresh(ctx)
}

func outcomeOf(err error) string {
	var p *site.Problem
	switch {
	case err == nil:
		return "200"
	case errors.As(err, &p):
		return fmt.Sprintf("%d %s, Retry-After %s", p.Status, p.Code, p.RetryAfter)
	}
	return err.Error()
}
