package limit

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/problem"
)

var numbers = Config{RequestsPerMinute: 3, LoginsPerMinute: 2, SubmissionsPerHour: 2,
	RequestsInFlightPerAddress: 100}

func newLimits(t *testing.T, url string) *Limits {
	t.Helper()
	options, err := redis.ParseURL(url)
	require.NoError(t, err)
	options.MaxRetries, options.DialerRetries = -1, 1
	rdb := redis.NewClient(options)
	t.Cleanup(func() { _ = rdb.Close() })
	return New(numbers, rdb, slog.New(slog.DiscardHandler))
}

// nowhere is an address where no Redis answers.
const nowhere = "redis://127.0.0.1:1/0"

// allowed counts how many of n requests pass, and checks what the others get.
func allowed(t *testing.T, n int, request func() error) (passed int) {
	t.Helper()
	for range n {
		err := request()
		if err == nil {
			passed++
			continue
		}
		if p := problem.From(err); !errors.Is(err, errTooOften) || p.RetryAfter <= 0 {
			t.Errorf("got %v after %v, want errTooOften with a time", err, p.RetryAfter)
		}
	}
	return passed
}

// Concurrent requests of a new client share one bucket.
func TestLocal_Allow_concurrently(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for range 200 {
		requests := newLocal(3, time.Minute, func() time.Time { return now })
		var passed atomic.Int32
		var group sync.WaitGroup
		start := make(chan struct{})
		for range 8 {
			group.Go(func() {
				<-start
				if requests.Allow("a") == nil {
					passed.Add(1)
				}
			})
		}
		close(start)
		group.Wait()
		if got := passed.Load(); got != 3 {
			t.Fatalf("%d of 8 requests at once passed, want 3", got)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	l := newLimits(t, redistest.Start(t))
	for _, client := range []string{t.Name() + "a", t.Name() + "b"} {
		if got := allowed(t, 5, func() error { _, err := l.Begin(client); return err }); got != 3 {
			t.Errorf("%d requests passed, want 3", got)
		}
		if got := allowed(t, 5, func() error { return l.Login(t.Context(), client) }); got != 2 {
			t.Errorf("%d logins passed, want 2", got)
		}
		if got := allowed(t, 5, func() error { return l.Submission(t.Context(), client) }); got != 2 {
			t.Errorf("%d submissions passed, want 2", got)
		}
	}
}

func TestLimits_without_Redis(t *testing.T) {
	t.Parallel()
	l := newLimits(t, nowhere)
	if err := l.Login(t.Context(), "a"); !errors.Is(err, errLoginsUnavailable) {
		t.Errorf("login: %v, want errLoginsUnavailable", err)
	}
	if _, err := l.Begin("a"); err != nil {
		t.Errorf("read: %v", err)
	}
	if got := allowed(t, 5, func() error { return l.Submission(t.Context(), "a") }); got != 2 {
		t.Errorf("%d submissions passed in memory, want 2", got)
	}
}

func TestLocal_Allow_refills(t *testing.T) {
	t.Parallel()
	now := time.Now()
	l := newLocal(60, time.Minute, func() time.Time { return now })
	if got := allowed(t, 70, func() error { return l.Allow("a") }); got != 60 {
		t.Fatalf("%d passed at once, want 60", got)
	}
	if p := problem.From(l.Allow("a")); p.RetryAfter != time.Second {
		t.Errorf("RetryAfter is %v, want 1s", p.RetryAfter)
	}
	for range 3 {
		now = now.Add(time.Second)
		if got := allowed(t, 5, func() error { return l.Allow("a") }); got != 1 {
			t.Errorf("after a second %d passed, want 1", got)
		}
	}
	now = now.Add(time.Hour)
	if got := allowed(t, 70, func() error { return l.Allow("a") }); got != 60 {
		t.Errorf("after an hour %d passed at once, want 60", got)
	}
}

func TestInFlight_Begin(t *testing.T) {
	t.Parallel()
	f := newInFlight(2, 3, errTooOften.WithRetryAfter(time.Second))
	first, err := f.begin("a")
	require.NoError(t, err)
	_, err = f.begin("a")
	require.NoError(t, err)
	if _, err := f.begin("a"); !errors.Is(err, errTooOften) {
		t.Errorf("a third request: %v, want errTooOften", err)
	}
	if _, err := f.begin("b"); err != nil {
		t.Errorf("another address: %v", err)
	}
	if _, err := f.begin("c"); !errors.Is(err, errTooMany) {
		t.Errorf("a fourth of all addresses: %v, want errTooMany", err)
	}
	first()
	if _, err := f.begin("a"); err != nil {
		t.Errorf("after the end of one: %v", err)
	}
}

// An export that outlives its time does not end the next one of its player.
func TestLimits_BeginExport_after_the_timeout(t *testing.T) {
	t.Parallel()
	l := newLimits(t, redistest.Start(t))
	for _, complete := range []bool{true, false} {
		finish, err := l.BeginExport(t.Context(), "p")
		require.NoError(t, err)
		if err := l.redis.Del(t.Context(), "gateway:exports:p").Err(); err != nil { // as after ExportTimeout
			t.Fatal(err)
		}
		next, err := l.BeginExport(t.Context(), "p")
		require.NoError(t, err)
		finish(complete)
		if _, err := l.BeginExport(t.Context(), "p"); !errors.Is(err, errExportRunning) {
			t.Errorf("complete %t: error %v, want %v", complete, err, errExportRunning)
		}
		next(false)
	}
	finish, err := l.BeginExport(t.Context(), "p")
	require.NoError(t, err)
	finish(true)
	if _, err := l.BeginExport(t.Context(), "p"); !errors.Is(err, errExportTooSoon) {
		t.Errorf("after a complete one: error %v, want %v", err, errExportTooSoon)
	}
}
