// Package ratelimit counts in Redis how often something was done, for all replicas of a process together.
package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Limit allows a number of calls for each key in a period, which begins with the first call. Within any time as long as
// a period at most twice as many are allowed: at the end of one period and at the beginning of the next.
type Limit struct {
	client redis.UniversalClient
	name   string
	most   int64
	period time.Duration
}

// New returns the limit called name. The period is of whole seconds. Limits of the
// same name and period count together.
func New(client redis.UniversalClient, name string, most int, period time.Duration) *Limit {
	return &Limit{client: client, name: name, most: int64(most), period: period}
}

// Allow counts a call of a key. It returns 0 where the call is allowed, else the time after which the next one is. The
// error is Redis's or that of ctx.
//
// Plain commands are enough: a counter that has no expiry, because a client died between two commands, gets one at the
// next call.
func (l *Limit) Allow(ctx context.Context, key string) (retryAfter time.Duration, err error) {
	key = l.keyOf(key)
	var count *redis.IntCmd
	var left *redis.DurationCmd
	_, err = l.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		count = p.Incr(ctx, key)
		p.ExpireNX(ctx, key, l.period)
		left = p.PTTL(ctx, key)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", l.name, err)
	}
	if count.Val() <= l.most {
		return 0, nil
	}
	return max(left.Val(), time.Millisecond), nil // it may end at this moment
}

// Check returns what Allow would return, and counts nothing.
func (l *Limit) Check(ctx context.Context, key string) (retryAfter time.Duration, err error) {
	key = l.keyOf(key)
	count, err := l.client.Get(ctx, key).Int64()
	if errors.Is(err, redis.Nil) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("check %s: %w", l.name, err)
	}
	if count < l.most {
		return 0, nil
	}
	left, err := l.client.PTTL(ctx, key).Result()
	if err != nil {
		return 0, fmt.Errorf("check %s: %w", l.name, err)
	}
	return max(left, time.Millisecond), nil
}

func (l *Limit) keyOf(key string) string {
	return fmt.Sprintf("rate:%s:%d:%s", l.name, int(l.period.Seconds()), key)
}
