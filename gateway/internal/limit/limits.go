package limit

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

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

// Login counts a call of the login. Without Redis logins are refused, so that codes cannot be guessed without a
// limit. It returns ErrTooOften or ErrLoginsUnavailable.
func (l *Limits) Login(ctx context.Context, address string) error {
	err := allowShared(ctx, l.logins, address)
	if err != nil && !errors.Is(err, ErrTooOften) {
		return ErrLoginsUnavailable.Wrap(err)
	}
	return err
}

// Submission counts a submission of a player. Without Redis this replica counts alone. It returns ErrTooOften.
func (l *Limits) Submission(ctx context.Context, player string) error {
	err := allowShared(ctx, l.submissions, player)
	if err != nil && !errors.Is(err, ErrTooOften) {
		l.log.WarnContext(ctx, "submissions are counted in memory", "error", err)
		return l.submissionsLocal.Allow(player)
	}
	return err
}
