// Package redis stores verification sessions and counts rooms per address in Redis. Every operation
// touches one key, so that it works on a Redis Cluster.
package redis

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/platform/ratelimit"
	"capzone.dev/platform/redishook"
	"capzone.dev/services/auth/internal/login"
)

// Connect returns a client of the server at url. It does not connect yet. It registers the metrics of the client,
// unless registerer is nil.
func Connect(url string, registerer prometheus.Registerer) (*goredis.Client, error) {
	options, err := goredis.ParseURL(url)
	if err != nil {
		return nil, errors.New("REDIS_URL is not a URL like redis://host:port/0")
	}
	// A player does not wait longer for an answer.
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = time.Second, time.Second, time.Second
	options.MaxRetries = 1
	client := goredis.NewClient(options)
	redishook.Add(client, registerer)
	return client, nil
}

// Store implements login.Sessions, login.ActiveSessions and login.Limiter.
type Store struct {
	client goredis.UniversalClient
	rooms  *ratelimit.Limit
	limits Limits
	now    func() time.Time
}

// Limits are those of one client address.
type Limits struct {
	// PerHour is the number of rooms that an address may ask for in an hour.
	PerHour int
	// AtOnce is the number of sessions that an address may have under way.
	AtOnce int
}

// NewStore returns the store on client.
func NewStore(client goredis.UniversalClient, limits Limits, now func() time.Time) *Store {
	return &Store{client, ratelimit.New(client, "capzone:login:rooms", limits.PerHour, time.Hour), limits, now}
}

// Allow implements login.Limiter.
func (s *Store) Allow(ctx context.Context, address string) error {
	retryAfter, err := s.rooms.Allow(ctx, address)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return login.ErrStoreUnavailable.Wrap(err)
	case retryAfter > 0:
		return login.ErrTooManyRooms.WithRetryAfter(retryAfter)
	}
	return nil
}
