// Package limit limits requests: reads per address in memory, logins and submissions in Redis, which the gateway's
// replicas share.
package limit

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/time/rate"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/ratelimit"
)

// ErrTooOften is returned where a limit is reached.
var ErrTooOften = problem.RateLimited("rate_limited", "Too many requests. Please slow down.")

// ErrLoginsUnavailable is returned where logins cannot be counted and are refused therefore.
var ErrLoginsUnavailable = problem.Unavailable("logins_unavailable",
	"Logging in is not possible at the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)

const (
	// maxClients bounds the memory of a Local. Beyond it, the least recently used client is forgotten.
	maxClients = 100_000
	// redisTimeout is how long a request waits for Redis to count it.
	redisTimeout = 500 * time.Millisecond
)

// Local counts in this process's memory, with a token bucket for each client that holds the requests of one period.
type Local struct {
	perSecond rate.Limit
	burst     int
	now       func() time.Time
	buckets   *expirable.LRU[string, *bucket]
	// createMu is held while a client's bucket is created.
	createMu sync.Mutex
	// touchEvery is how often a bucket in use is touched, so that it does not expire. Doing so at each request costs as
	// much as a cached response.
	touchEvery time.Duration
}

// bucket is the token bucket of a client.
type bucket struct {
	*rate.Limiter
	touchedAt atomic.Int64 // Unix nanoseconds
}

// NewLocal returns a limit of n requests in a period per client, by the clock now.
func NewLocal(n int, period time.Duration, now func() time.Time) *Local {
	return &Local{
		perSecond: rate.Limit(float64(n) / period.Seconds()),
		burst:     n,
		now:       now,
		// A bucket that was not used for a period is full and may be forgotten.
		buckets:    expirable.NewLRU[string, *bucket](maxClients, nil, 2*period),
		touchEvery: period / 2,
	}
}

// Allow counts a request of a client. It returns ErrTooOften.
func (l *Local) Allow(client string) error {
	now := l.now()
	b := l.bucketOf(client)
	touched := b.touchedAt.Load()
	if now.UnixNano()-touched > int64(l.touchEvery) && b.touchedAt.CompareAndSwap(touched, now.UnixNano()) {
		l.buckets.Add(client, b)
	}
	reservation := b.ReserveN(now, 1)
	if delay := reservation.DelayFrom(now); delay > 0 {
		reservation.CancelAt(now)
		return ErrTooOften.WithRetryAfter(delay)
	}
	return nil
}

// bucketOf returns the client's bucket, which concurrent requests share.
func (l *Local) bucketOf(client string) *bucket {
	if b, ok := l.buckets.Get(client); ok {
		return b
	}
	l.createMu.Lock()
	defer l.createMu.Unlock()
	if b, ok := l.buckets.Get(client); ok {
		return b
	}
	b := &bucket{Limiter: rate.NewLimiter(l.perSecond, l.burst)}
	l.buckets.Add(client, b)
	return b
}

// allowShared counts a request of a client in Redis. It returns ErrTooOften, or the error of Redis.
func allowShared(ctx context.Context, limit *ratelimit.Limit, client string) error {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	retryAfter, err := limit.Allow(ctx, client)
	if err == nil && retryAfter > 0 {
		return ErrTooOften.WithRetryAfter(retryAfter)
	}
	return err
}
