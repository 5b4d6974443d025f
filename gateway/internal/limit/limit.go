// Package limit counts requests: per address in memory for reads, in Redis,
// shared by the gateway's replicas, for logins and submissions.
package limit

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/ratelimit"
)

// ErrTooOften says that a limit is reached.
var ErrTooOften = problem.RateLimited("rate_limited", "Too many requests. Please slow down.")

// ErrLoginsUnavailable says that logins cannot be counted, and so are not served.
var ErrLoginsUnavailable = problem.Unavailable("logins_unavailable", "Logging in is not possible at the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)

const (
	// maxClients bounds the memory of a Local: past it, the client that was
	// quiet for the longest is forgotten.
	maxClients = 100_000
	// redisTimeout is how long a request waits for Redis to count it.
	redisTimeout = 500 * time.Millisecond
)

// Local counts in this process's memory. A client may send a period's worth at
// once, and then as it refills.
type Local struct {
	perSecond rate.Limit
	burst     int
	now       func() time.Time
	buckets   *expirable.LRU[string, *bucket]
	// meeting is held where a client's bucket is made.
	meeting sync.Mutex
	// renewAfter is how long after its last renewal a bucket that is used is
	// renewed, so that it is not forgotten: doing so each time costs as much as
	// a kept page.
	renewAfter time.Duration
}

// bucket is a client's.
type bucket struct {
	*rate.Limiter
	renewed atomic.Int64 // Unix nanoseconds
}

// NewLocal returns a limit of n requests in a period per client, by the clock
// now.
func NewLocal(n int, period time.Duration, now func() time.Time) *Local {
	return &Local{
		perSecond: rate.Limit(float64(n) / period.Seconds()),
		burst:     n,
		now:       now,
		// A bucket that was not used for a period is full: it may be forgotten.
		buckets:    expirable.NewLRU[string, *bucket](maxClients, nil, 2*period),
		renewAfter: period / 2,
	}
}

// Allow counts a request of a client. Returns ErrTooOften.
func (l *Local) Allow(client string) error {
	now := l.now()
	b := l.bucketOf(client)
	if renewed := b.renewed.Load(); now.UnixNano()-renewed > int64(l.renewAfter) && b.renewed.CompareAndSwap(renewed, now.UnixNano()) {
		l.buckets.Add(client, b)
	}
	reservation := b.ReserveN(now, 1)
	if delay := reservation.DelayFrom(now); delay > 0 {
		reservation.CancelAt(now)
		return ErrTooOften.WithRetryAfter(delay)
	}
	return nil
}

// bucketOf returns the client's bucket, the same for all of its requests at once.
func (l *Local) bucketOf(client string) *bucket {
	if b, ok := l.buckets.Get(client); ok {
		return b
	}
	l.meeting.Lock()
	defer l.meeting.Unlock()
	if b, ok := l.buckets.Get(client); ok {
		return b
	}
	b := &bucket{Limiter: rate.NewLimiter(l.perSecond, l.burst)}
	l.buckets.Add(client, b)
	return b
}

// Shared counts in Redis.
type Shared struct{ limit *ratelimit.Limit }

// NewShared returns the limit called name, of n requests in a period per client.
func NewShared(redis redis.UniversalClient, name string, n int, period time.Duration) *Shared {
	return &Shared{ratelimit.New(redis, name, n, period)}
}

// Allow counts a request of a client. Returns ErrTooOften, or what Redis says
// when it is away.
func (l *Shared) Allow(ctx context.Context, client string) error {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	retryAfter, err := l.limit.Allow(ctx, client)
	if err == nil && retryAfter > 0 {
		return ErrTooOften.WithRetryAfter(retryAfter)
	}
	return err
}
