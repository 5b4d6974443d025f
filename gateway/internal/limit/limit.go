// Package limit limits requests: reads per address in memory, logins and submissions in Redis, which the gateway's
// replicas share.
package limit

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/ratelimit"
)

// Numbers are the sizes of the limits.
type Numbers struct {
	// RequestsPerMinute bounds the requests of one client address, also those for files.
	RequestsPerMinute int `env:"REQUESTS_PER_MINUTE" envDefault:"600"`
	// LoginsPerMinute bounds the calls under /auth of one client address. A login page asks for the status every 3
	// seconds.
	LoginsPerMinute int `env:"LOGINS_PER_MINUTE" envDefault:"60"`
	// SubmissionsPerHour bounds the maps, records and avatars of one player.
	SubmissionsPerHour int `env:"SUBMISSIONS_PER_HOUR" envDefault:"60"`
	// ConnectionsPerAddress bounds the connections of one client address.
	ConnectionsPerAddress int `env:"CONNECTIONS_PER_ADDRESS" envDefault:"256"`
	// RequestsInFlightPerAddress bounds the requests of one client address that are being answered.
	RequestsInFlightPerAddress int `env:"REQUESTS_IN_FLIGHT_PER_ADDRESS" envDefault:"100"`
}

// Check returns an error for numbers that would refuse everybody.
func (n Numbers) Check() error {
	least := min(n.RequestsPerMinute, n.LoginsPerMinute, n.SubmissionsPerHour,
		n.ConnectionsPerAddress, n.RequestsInFlightPerAddress)
	if least < 1 {
		return errors.New("REQUESTS_PER_MINUTE, LOGINS_PER_MINUTE, SUBMISSIONS_PER_HOUR, CONNECTIONS_PER_ADDRESS and " +
			"REQUESTS_IN_FLIGHT_PER_ADDRESS must be at least 1")
	}
	return nil
}

// Limits are the gateway's limits.
type Limits struct {
	requests         *Local
	inFlight         *InFlight
	logins           *ratelimit.Limit
	submissions      *ratelimit.Limit
	submissionsLocal *Local
	log              *slog.Logger
}

// New returns the limits of the given sizes.
func New(n Numbers, redis redis.UniversalClient, log *slog.Logger) *Limits {
	return &Limits{
		requests:         NewLocal(n.RequestsPerMinute, time.Minute, time.Now),
		inFlight:         NewInFlight(n.RequestsInFlightPerAddress),
		logins:           ratelimit.New(redis, "gateway:logins", n.LoginsPerMinute, time.Minute),
		submissions:      ratelimit.New(redis, "gateway:submissions", n.SubmissionsPerHour, time.Hour),
		submissionsLocal: NewLocal(n.SubmissionsPerHour, time.Hour, time.Now),
		log:              log,
	}
}

// Begin counts a request of an address, which is in flight until end is called. It returns ErrTooOften.
func (l *Limits) Begin(address string) (end func(), err error) {
	if err := l.requests.Allow(address); err != nil {
		return nil, err
	}
	return l.inFlight.Begin(address)
}

// Login counts a call of the login. Logins are refused when Redis is unavailable, so that codes cannot be guessed
// without a limit. It returns ErrTooOften or ErrLoginsUnavailable.
func (l *Limits) Login(ctx context.Context, address string) error {
	err := allowShared(ctx, l.logins, address)
	if err != nil && !errors.Is(err, ErrTooOften) {
		return ErrLoginsUnavailable.Wrap(err)
	}
	return err
}

// Submission counts a submission of a player. When Redis is unavailable, this replica counts alone. It
// returns ErrTooOften.
func (l *Limits) Submission(ctx context.Context, player string) error {
	err := allowShared(ctx, l.submissions, player)
	if err != nil && !errors.Is(err, ErrTooOften) {
		l.log.WarnContext(ctx, "submissions are counted in memory", "error", err)
		return l.submissionsLocal.Allow(player)
	}
	return err
}

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

// retryInFlight is the time after which a client with too many requests in flight may try again.
const retryInFlight = time.Second

// InFlight bounds the requests of one address that are being answered.
type InFlight struct {
	max int

	mu     sync.Mutex
	counts map[string]int
}

// NewInFlight returns a limit of the requests that an address has in flight.
func NewInFlight(limit int) *InFlight { return &InFlight{max: limit, counts: map[string]int{}} }

// Begin counts a request until end is called. It returns ErrTooOften where the address has too many in flight.
func (f *InFlight) Begin(address string) (end func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts[address] >= f.max {
		return nil, ErrTooOften.WithRetryAfter(retryInFlight)
	}
	f.counts[address]++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.counts[address]--; f.counts[address] == 0 {
			delete(f.counts, address)
		}
	}, nil
}
