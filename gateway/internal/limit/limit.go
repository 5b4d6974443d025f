// Package limit limits requests: reads per address in memory, logins and submissions in Redis, which the gateway's
// replicas share.
package limit

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/ratelimit"
)

// Config are the sizes of the limits.
type Config struct {
	// RequestsPerMinute bounds the requests of one client address, also those for files.
	RequestsPerMinute int `env:"REQUESTS_PER_MINUTE" envDefault:"600"`
	// LoginsPerMinute bounds the calls under /auth of one client address, but those for the status of a login.
	LoginsPerMinute int `env:"LOGINS_PER_MINUTE" envDefault:"60"`
	// SubmissionsPerHour bounds the maps, records and avatars of one player.
	SubmissionsPerHour int `env:"SUBMISSIONS_PER_HOUR" envDefault:"60"`
	// RequestsInFlightPerAddress bounds the requests of one client address that are being answered.
	RequestsInFlightPerAddress int `env:"REQUESTS_IN_FLIGHT_PER_ADDRESS" envDefault:"100"`
	// StreamsPerAddress bounds the streams of one client address. A browser has one.
	StreamsPerAddress int `env:"STREAMS_PER_ADDRESS" envDefault:"5"`
	// TokenRequestsPerMinute bounds the requests by one personal token.
	TokenRequestsPerMinute int `env:"TOKEN_REQUESTS_PER_MINUTE" envDefault:"300"`
	// InvalidTokensPerMinute bounds the personal tokens of one client address that are unknown, revoked or expired.
	InvalidTokensPerMinute int `env:"INVALID_TOKENS_PER_MINUTE" envDefault:"30"`
}

// Check returns an error for numbers that would refuse everybody.
func (c Config) Check() error {
	least := min(c.RequestsPerMinute, c.LoginsPerMinute, c.SubmissionsPerHour, c.RequestsInFlightPerAddress,
		c.StreamsPerAddress, c.TokenRequestsPerMinute, c.InvalidTokensPerMinute)
	if least < 1 {
		return errors.New("REQUESTS_PER_MINUTE, LOGINS_PER_MINUTE, SUBMISSIONS_PER_HOUR, " +
			"REQUESTS_IN_FLIGHT_PER_ADDRESS, STREAMS_PER_ADDRESS, TOKEN_REQUESTS_PER_MINUTE and " +
			"INVALID_TOKENS_PER_MINUTE must be at least 1")
	}
	return nil
}

// Limits are the gateway's limits.
type Limits struct {
	requests         *local
	inFlight         *inFlight
	streams          *inFlight
	logins           *ratelimit.Limit
	submissions      *ratelimit.Limit
	submissionsLocal *local
	tokens           *local
	invalidTokens    *local
	redis            redis.UniversalClient // counts the exports of players
	log              *slog.Logger
}

// New returns the limits of the given sizes.
func New(c Config, redis redis.UniversalClient, log *slog.Logger) *Limits {
	return &Limits{
		requests:         newLocal(c.RequestsPerMinute, time.Minute, time.Now),
		inFlight:         newInFlight(c.RequestsInFlightPerAddress, math.MaxInt, errTooOften.WithRetryAfter(retryInFlight)),
		streams:          newInFlight(c.StreamsPerAddress, maxStreams, errStreamsFull),
		logins:           ratelimit.New(redis, "gateway:logins", c.LoginsPerMinute, time.Minute),
		submissions:      ratelimit.New(redis, "gateway:submissions", c.SubmissionsPerHour, time.Hour),
		submissionsLocal: newLocal(c.SubmissionsPerHour, time.Hour, time.Now),
		tokens:           newLocal(c.TokenRequestsPerMinute, time.Minute, time.Now),
		invalidTokens:    newLocal(c.InvalidTokensPerMinute, time.Minute, time.Now),
		redis:            redis,
		log:              log,
	}
}

// Begin counts a request of an address, which is in flight until end is called. It returns errTooOften.
func (l *Limits) Begin(address string) (end func(), err error) {
	if err := l.requests.Allow(address); err != nil {
		return nil, err
	}
	return l.inFlight.begin(address)
}

// BeginStream is Begin for a stream, which does not count as a request in flight. It returns errTooOften,
// errStreamsFull or errTooMany.
func (l *Limits) BeginStream(address string) (end func(), err error) {
	if err := l.requests.Allow(address); err != nil {
		return nil, err
	}
	return l.streams.begin(address)
}

// Login counts a call of the login. Logins are refused when Redis is unavailable, so that codes cannot be guessed
// without a limit. It returns errTooOften or errLoginsUnavailable.
func (l *Limits) Login(ctx context.Context, address string) error {
	err := allowShared(ctx, l.logins, address)
	if err != nil && !errors.Is(err, errTooOften) {
		return errLoginsUnavailable.Wrap(err)
	}
	return err
}

// Submission counts a submission of a player. When Redis is unavailable, this replica counts alone. It
// returns errTooOften.
func (l *Limits) Submission(ctx context.Context, player string) error {
	err := allowShared(ctx, l.submissions, player)
	if err != nil && !errors.Is(err, errTooOften) {
		l.log.WarnContext(ctx, "a submission was counted by this replica alone", "error", err)
		return l.submissionsLocal.Allow(player)
	}
	return err
}

// Token counts a request by a personal token, and returns what is left of its limit. It returns errTooOften.
func (l *Limits) Token(id string) (Quota, error) {
	err := l.tokens.Allow(id)
	return l.tokens.quota(id), err
}

// CheckInvalidTokens returns errTooOften where an address has sent as many invalid personal tokens as it may.
func (l *Limits) CheckInvalidTokens(address string) error { return l.invalidTokens.check(address) }

// InvalidToken counts an invalid personal token of an address.
func (l *Limits) InvalidToken(address string) {
	_ = l.invalidTokens.Allow(address) // an address over its limit was refused before
}

// errTooOften is returned where a limit is reached.
var errTooOften = problem.RateLimited("rate_limited", "Too many requests. Please slow down.")

// errLoginsUnavailable is returned where logins cannot be counted and are refused therefore.
var errLoginsUnavailable = problem.Unavailable("logins_unavailable",
	"Logging in is not possible at the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)

// errStreamsFull is returned where an address has as many streams as it may have.
var errStreamsFull = problem.RateLimited("streams_full",
	"Too many streams are open from your address. Please close one first.").WithRetryAfter(30 * time.Second)

// errTooMany is returned where all addresses together have too many streams.
var errTooMany = problem.Overloaded("streams_busy", "Too many streams are open. Please try again shortly.").
	WithRetryAfter(30 * time.Second)

const (
	// maxClients bounds the memory of a local limit. Beyond it, the least recently used client is forgotten.
	maxClients = 100_000
	// countTimeout is how long a request waits for Redis to count it.
	countTimeout = 300 * time.Millisecond
)

// local counts in this process's memory, with a token bucket for each client that holds the requests of one period.
type local struct {
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

// newLocal returns a limit of n requests in a period per client, by the clock now.
func newLocal(n int, period time.Duration, now func() time.Time) *local {
	return &local{
		perSecond: rate.Limit(float64(n) / period.Seconds()),
		burst:     n,
		now:       now,
		// A bucket that was not used for a period is full and may be forgotten.
		buckets:    expirable.NewLRU[string, *bucket](maxClients, nil, 2*period),
		touchEvery: period / 2,
	}
}

// Allow counts a request of a client. It returns errTooOften.
func (l *local) Allow(client string) error {
	now := l.now()
	b := l.bucketOf(client)
	touched := b.touchedAt.Load()
	if now.UnixNano()-touched > int64(l.touchEvery) && b.touchedAt.CompareAndSwap(touched, now.UnixNano()) {
		l.buckets.Add(client, b)
	}
	reservation := b.ReserveN(now, 1)
	if delay := reservation.DelayFrom(now); delay > 0 {
		reservation.CancelAt(now)
		return errTooOften.WithRetryAfter(delay)
	}
	return nil
}

// check returns errTooOften where the next request of a client would be refused.
func (l *local) check(client string) error {
	missing := 1 - l.bucketOf(client).TokensAt(l.now())
	if missing <= 0 {
		return nil
	}
	return errTooOften.WithRetryAfter(l.timeFor(missing))
}

// Quota is what is left of a limit.
type Quota struct {
	// Limit is the number of requests in a Window, Remaining how many of them are left, and Reset how long it takes until
	// all are there again.
	Limit, Remaining int
	Window, Reset    time.Duration
}

func (l *local) quota(client string) Quota {
	left := max(l.bucketOf(client).TokensAt(l.now()), 0)
	return Quota{
		Limit: l.burst, Remaining: int(left), Window: l.timeFor(float64(l.burst)), Reset: l.timeFor(float64(l.burst) - left),
	}
}

// timeFor returns the time in which the number of requests that are allowed grows by n.
func (l *local) timeFor(n float64) time.Duration {
	return time.Duration(n / float64(l.perSecond) * float64(time.Second))
}

// bucketOf returns the client's bucket, which concurrent requests share.
func (l *local) bucketOf(client string) *bucket {
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

// allowShared counts a request of a client in Redis. It returns errTooOften, or the error of Redis.
func allowShared(ctx context.Context, limit *ratelimit.Limit, client string) error {
	ctx, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	retryAfter, err := limit.Allow(ctx, client)
	if err == nil && retryAfter > 0 {
		return errTooOften.WithRetryAfter(retryAfter)
	}
	return err
}

const (
	// retryInFlight is the time after which a client with too many requests in flight may try again.
	retryInFlight = time.Second
	// maxStreams bounds the streams of all addresses: three quarters of the connections.
	maxStreams = 6144
)

// inFlight bounds the requests that are being answered, of one address and in all.
type inFlight struct {
	perAddress, total int
	// full refuses a request of an address that has too many.
	full *problem.Problem

	mu     sync.Mutex
	counts map[string]int
	sum    int
}

func newInFlight(perAddress, total int, full *problem.Problem) *inFlight {
	return &inFlight{perAddress: perAddress, total: total, full: full, counts: map[string]int{}}
}

// begin counts a request until end is called. It returns the problem full where the address has too many, and
// errTooMany where all addresses together have.
func (f *inFlight) begin(address string) (end func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.counts[address] >= f.perAddress:
		return nil, f.full
	case f.sum >= f.total:
		return nil, errTooMany
	}
	f.counts[address]++
	f.sum++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.sum--
		if f.counts[address]--; f.counts[address] == 0 {
			delete(f.counts, address)
		}
	}, nil
}
