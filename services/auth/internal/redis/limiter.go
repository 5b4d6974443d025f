package redis

import (
	"context"
	"errors"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/platform/ratelimit"
	"capzone.dev/services/auth/internal/login"
)

// Limiter is a login.Limiter that all replicas share.
type Limiter struct{ limit *ratelimit.Limit }

// NewLimiter allows so many rooms in an hour to each client address.
func NewLimiter(client goredis.UniversalClient, perHour int) *Limiter {
	return &Limiter{ratelimit.New(client, "capzone:login:rooms", perHour, time.Hour)}
}

// Allow implements login.Limiter.
func (l *Limiter) Allow(ctx context.Context, address string) error {
	retryAfter, err := l.limit.Allow(ctx, address)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return login.ErrStoreUnavailable.Because(err)
	case retryAfter > 0:
		return login.ErrTooManyRooms.After(retryAfter)
	}
	return nil
}
