package redis

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-redis/redis_rate/v10"
	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/services/auth/internal/login"
)

// Limiter is a login.Limiter that all replicas share.
type Limiter struct {
	limiter *redis_rate.Limiter
	limit   redis_rate.Limit
}

// NewLimiter allows so many rooms in an hour to each client address.
func NewLimiter(client goredis.UniversalClient, perHour int) *Limiter {
	return &Limiter{limiter: redis_rate.NewLimiter(client), limit: redis_rate.PerHour(perHour)}
}

// Allow implements login.Limiter.
func (l *Limiter) Allow(ctx context.Context, address string) error {
	result, err := l.limiter.Allow(ctx, "capzone:login:rooms:"+address, l.limit)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return login.ErrStoreUnavailable.Because(fmt.Errorf("count rooms: %w", err))
	case result.Allowed == 0:
		return login.ErrTooManyRooms.After(result.RetryAfter)
	}
	return nil
}
