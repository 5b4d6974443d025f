package ratelimit_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/ratelimit"
)

// passed counts how many of n pass, and checks how long the others are to wait.
func passed(t *testing.T, l *ratelimit.Limit, key string, n int) (count int) {
	t.Helper()
	for range n {
		wait, err := l.Allow(t.Context(), key)
		switch {
		case err != nil:
			t.Fatal(err)
		case wait == 0:
			count++
		case wait < 0 || wait > time.Hour:
			t.Errorf("it is to wait for %v", wait)
		}
	}
	return count
}

func TestLimit_Allow_by_name_period_and_key(t *testing.T) {
	t.Parallel()
	client := redistest.Connect(t, redistest.Start(t))
	for _, limit := range []*ratelimit.Limit{
		ratelimit.New(client, "tries", 2, time.Hour),
		ratelimit.New(client, "tries", 2, time.Minute),
		ratelimit.New(client, "rooms", 2, time.Hour),
	} {
		for _, key := range []string{"a", "b"} {
			if got := passed(t, limit, key, 3); got != 2 {
				t.Errorf("of 3 of %s %d passed, want 2", key, got)
			}
		}
	}
}

func TestLimit_Allow_replicas_count_together(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t)
	var count atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		limit := ratelimit.New(redistest.Connect(t, url), "tries", 10, time.Hour)
		all.Go(func() {
			for range 5 {
				if wait, err := limit.Allow(t.Context(), "a"); err == nil && wait == 0 {
					count.Add(1)
				}
			}
		})
	}
	all.Wait()
	if got := count.Load(); got != 10 {
		t.Errorf("of 20 at once %d passed, want 10", got)
	}
}

func TestLimit_Allow_after_the_period(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t)
	limit := ratelimit.New(redistest.Connect(t, url), "tries", 2, time.Minute)
	passed(t, limit, "a", 3)
	redistest.FastForward(t, url, 40*time.Second)
	wait, err := limit.Allow(t.Context(), "a")
	if err != nil || wait <= 0 || wait > 20*time.Second {
		t.Errorf("after 40 s: wait for %v, %v; want what is left of the minute", wait, err)
	}
	redistest.FastForward(t, url, 20*time.Second)
	if got := passed(t, limit, "a", 3); got != 2 {
		t.Errorf("after a minute %d of 3 passed, want 2", got)
	}
}

// As the death of a client between two commands would leave it.
func TestLimit_Allow_counter_without_expiry(t *testing.T) {
	t.Parallel()
	client := redistest.Connect(t, redistest.Start(t))
	require.NoError(t, client.Set(t.Context(), "rate:tries:60:a", 7, 0).Err())
	limit := ratelimit.New(client, "tries", 2, time.Minute)
	wait, err := limit.Allow(t.Context(), "a")
	if err != nil || wait <= 0 || wait > time.Minute {
		t.Errorf("wait for %v, %v; want up to a minute", wait, err)
	}
}

func TestLimit_Allow_without_Redis(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	t.Cleanup(func() { _ = client.Close() })
	if _, err := ratelimit.New(client, "tries", 2, time.Minute).Allow(t.Context(), "a"); err == nil {
		t.Error("it passed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ratelimit.New(client, "tries", 2, time.Minute).Allow(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v, want that of the context", err)
	}
}
